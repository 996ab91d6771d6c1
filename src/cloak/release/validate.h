#ifndef CLOAK_RELEASE_VALIDATE_H_
#define CLOAK_RELEASE_VALIDATE_H_

#include <string>
#include <vector>

#include "cloak/release/release.h"

namespace cloak {

// Throws InvalidInput that names the field unless all sizes fit together, all
// numbers are finite and in range, and the whole is small enough to predict
// from in reasonable time.
void ValidateContent(const ReleaseContent& content);

// Does the part of it that is about the inputs.
void ValidateInputs(const std::vector<InputColumn>& inputs);

// Throws InvalidInput unless `text`, the name of `what`, can be written: JSON
// is UTF-8.
void RequireText(const std::string& text, const std::string& what);

// Does the part of it that is about what was released and what it costs.
void ValidateStatistics(const ReleaseContent& content);

// Does the part of it that is about the sites, for inputs of so many numbers as
// kernels see them.
void ValidateSites(const ReleaseContent& content, Index dimension);

// A histogram or a density is of at most so many inputs.
inline constexpr size_t kMostSpreadInputs = 3;

}  // namespace cloak

#endif  // CLOAK_RELEASE_VALIDATE_H_
