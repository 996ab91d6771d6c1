#include "cloak/custodian/pending_release.h"

#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/custodian/new_file.h"
#include "cloak/data/atomic_file.h"
#include "cloak/models/make_plan.h"
#include "cloak/release/file_format.h"

namespace cloak {

void PlanSafely(const std::function<void()>& plan) {
  try {
    plan();
  } catch (const InvalidInput&) {
    throw;
  } catch (const PrivacyFailure&) {
    throw;
  } catch (const Error& error) {
    throw InvalidInput(
        Text("no release can be planned with these options: ", error.what(),
             "\nNumbers that are out of proportion are too much for double "
             "precision: variances should be about the square of what varies, "
             "lengthscales about as long as the inputs differ. Leave the "
             "kernel and the noise variance out to have them learned. Nothing "
             "was spent."));
  }
}

std::unique_ptr<Plan> PlanRelease(const Request& request, const Table& table,
                                  const Progress& progress) {
  std::unique_ptr<Plan> plan;
  PlanSafely([&] {
    plan = MakePlan(SettingOf(request, table, progress), request.task);
  });
  return plan;
}

Destination Destination::File(const std::string& path, bool overwrite) {
  RequireNewFile(path, overwrite, {});
  return {path, [path](const std::string& bytes) {
            WriteFileAtomically(path, bytes);
          }};
}

PendingRelease::PendingRelease(Request request, const Table& table,
                               std::unique_ptr<Plan> plan)
    : request_(std::move(request)), table_(table), plan_(std::move(plan)) {}

std::optional<Bill> PendingRelease::Price(
    const std::string& destination) const {
  if (!ledger_) return {};
  return ledger_->Price(CostOf(*plan_, request_, destination));
}

Release PendingRelease::Make(const RandomnessSource& randomness,
                             const Destination& destination) {
  std::optional<Release> release;
  const auto cost = [&] { return CostOf(*plan_, request_, destination.name); };
  ChargeThen(ledger_, cost, [&](const std::optional<Bill>& bill) {
    bill_ = bill;
    Randomness noise = randomness();
    release.emplace(plan_->Execute(PrivateRowsOf(request_, table_), noise));
    destination.write(ReleaseToJson(*release));
  });
  return *std::move(release);
}

}  // namespace cloak
