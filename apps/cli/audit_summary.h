#ifndef CLOAK_APPS_CLI_AUDIT_SUMMARY_H_
#define CLOAK_APPS_CLI_AUDIT_SUMMARY_H_

#include <string>

#include "cloak/audit/file_audit.h"
#include "cloak/audit/release_audit.h"

namespace cloak {

// What `cloak audit` says: the claim beside what was measured. `unit` is what
// one unit of the statistic is worth, in what outputs are measured in.
// `rounds`: of the plan, of which the first is audited.
std::string AuditText(const AuditReport& report, double unit, int rounds);
std::string AuditJson(const AuditReport& report, double unit, int rounds);

std::string AuditText(const FileAudit& audit);
std::string AuditJson(const FileAudit& audit);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_AUDIT_SUMMARY_H_
