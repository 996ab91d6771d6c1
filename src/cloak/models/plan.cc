#include "cloak/models/plan.h"

#include "cloak/models/release_parts.h"

namespace cloak {

Neighbours Plan::neighbours() const {
  if (setting_->ProtectsRows()) return Neighbours::kRow;
  return privacy().unit.empty() ? Neighbours::kOutput : Neighbours::kUnit;
}

Release Plan::Execute(const PrivateRows& rows, Randomness& randomness,
                      const ReleaseObserver& observer) const {
  if (!order_) return Run(rows, randomness, observer);
  return Run(order_->Sorted(rows.outputs(), randomness), randomness, observer);
}

ReleaseContent ContentOf(const PlanSummary& summary) {
  ReleaseContent content;
  content.task = summary.task;
  content.method = summary.method;
  content.design = summary.design;
  content.certified_gap = summary.certified_gap;
  content.privacy = summary.privacy;
  content.link = summary.link;
  content.no_sites = summary.no_sites;
  return content;
}

ReleaseContent ContentOf(const Setting& setting, const PlanSummary& summary) {
  ReleaseContent content = ContentOf(summary);
  content.classes = setting.classes();
  content.inputs = DescribeInputs(setting);
  if (!setting.ProtectsRows() && setting.open().projected) {
    content.projection = setting.open().projected->projection;
  }
  content.output = setting.output_name();
  if (setting.HasOutput()) content.offset = setting.PriorMean();
  return content;
}

}  // namespace cloak
