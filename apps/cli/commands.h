#ifndef CLOAK_APPS_CLI_COMMANDS_H_
#define CLOAK_APPS_CLI_COMMANDS_H_

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"

namespace cloak {

// Each throws what cloak/base/error.h has for it, and then has written
// nothing. (An audit that refutes a claim throws PrivacyFailure when it has
// printed its report.)
void RunRelease(const ReleaseArguments& arguments, const Streams& streams,
                const RandomnessSource& randomness);
void RunSelect(const SelectArguments& arguments, const Streams& streams,
               const RandomnessSource& randomness);
void RunAudit(const AuditArguments& arguments, const Streams& streams,
              const RandomnessSource& randomness);
void RunCheck(const CheckArguments& arguments, const Streams& streams);
void RunPredict(const PredictArguments& arguments, const Streams& streams);
void RunShow(const ShowArguments& arguments, const Streams& streams);
void RunInfer(const InferArguments& arguments, const Streams& streams);
void RunServe(const ServeArguments& arguments, const Streams& streams);
void RunLedgerInit(const LedgerInitArguments& arguments,
                   const Streams& streams);
void RunLedgerAdd(const LedgerTableArguments& arguments,
                  const Streams& streams);
void RunLedgerShow(const LedgerShowArguments& arguments,
                   const Streams& streams);
void RunLedgerVerify(const LedgerVerifyArguments& arguments,
                     const Streams& streams);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_COMMANDS_H_
