#ifndef CLOAK_MODELS_OUTPUTS_PRINCIPAL_COMPONENTS_H_
#define CLOAK_MODELS_OUTPUTS_PRINCIPAL_COMPONENTS_H_

#include "cloak/models/setting.h"

namespace cloak {

// The leading principal components of public inputs, each input divided by its
// rounded range first, so that what it is measured in does not matter: where
// there are very many inputs (pixels), few directions have most of what differs
// between rows, and distances along the rest say little. `count` is the most
// there can be; those along which nothing differs are left out. Both the centre
// and the directions stand in the release. Throws InvalidInput when there are
// fewer than kLeastGroup rows (microaggregate.h), which they would tell of.
InputProjection PrincipalComponents(const Matrix& X, Index count);

// Returns the setting with these functions of the inputs in their place; a
// release made of it takes the inputs as they were.
SharedSetting Projected(const Setting& setting,
                        const InputProjection& projection);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_PRINCIPAL_COMPONENTS_H_
