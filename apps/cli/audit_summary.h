#ifndef CLOAK_APPS_CLI_AUDIT_SUMMARY_H_
#define CLOAK_APPS_CLI_AUDIT_SUMMARY_H_

#include <string>

#include "cloak/audit/file_audit.h"
#include "cloak/audit/plan_audit.h"

namespace cloak {

// Return the report of an audit: what is claimed beside what was measured.
std::string AuditText(const PlanAudit& audit);
std::string AuditJson(const PlanAudit& audit);

std::string AuditText(const FileAudit& audit);
std::string AuditJson(const FileAudit& audit);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_AUDIT_SUMMARY_H_
