#ifndef CLOAK_RELEASE_KNOWN_FIELDS_H_
#define CLOAK_RELEASE_KNOWN_FIELDS_H_

#include <array>
#include <string_view>

namespace cloak {

// Every field that this program reads; whatever else is in a file is passed
// over. A field that is added to the format is added here too. A list has []
// behind its name where its items have fields of their own.
inline constexpr auto kKnownFields = std::to_array<std::string_view>({
    "format",
    "version",
    "checksum",
    "task",
    "classes",
    "method",
    "design",
    "certified_gap",
    "inputs",
    "inputs[].name",
    "inputs[].lower",
    "inputs[].upper",
    "inputs[].middle",
    "output",
    "offset",
    "privacy",
    "privacy.protect",
    "privacy.epsilon",
    "privacy.delta",
    "privacy.rows",
    "privacy.unit",
    "privacy.units",
    "privacy.bounds",
    "privacy.mechanism",
    "privacy.sensitivity",
    "privacy.noise_sd",
    "privacy.event",
    "earlier_statistics",
    "earlier_statistics[].of",
    "earlier_statistics[].noise",
    "earlier_statistics[].sensitivity",
    "earlier_statistics[].noise_scale",
    "earlier_statistics[].mu",
    "earlier_statistics[].epsilon",
    "earlier_statistics[].with_next",
    "earlier_statistics[].unit",
    "earlier_statistics[].units",
    "statistic",
    "statistic.of",
    "statistic.noise",
    "statistic.sensitivity",
    "statistic.noise_scale",
    "statistic.mu",
    "statistic.epsilon",
    "statistic.with_next",
    "statistic.unit",
    "statistic.units",
    "projection",
    "projection.centre",
    "projection.directions",
    "histogram",
    "histogram.axes",
    "histogram.axes[].name",
    "histogram.axes[].edges",
    "histogram.axes[].categories",
    "histogram.count",
    "histogram.sd",
    "histogram.lower",
    "histogram.upper",
    "link",
    "basis_points",
    "posteriors",
    "posteriors[].weight",
    "posteriors[].kernel",
    "posteriors[].noise_variance",
    "posteriors[].jitter",
    "posteriors[].mean",
    "posteriors[].explained",
    "posteriors[].noise",
});

}  // namespace cloak

#endif  // CLOAK_RELEASE_KNOWN_FIELDS_H_
