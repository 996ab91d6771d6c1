#include "cloak/models/rows/row_statistic.h"

#include "cloak/models/nuisance_parameters.h"

namespace cloak {

PublishedSums OverParts(const PublishedSums& round,
                        const std::vector<Index>& ancestors) {
  PublishedSums parts = round;
  parts.features = round.features(Eigen::all, ancestors);
  parts.centre = round.centre(ancestors);
  parts.half_width = round.half_width(ancestors);
  return parts;
}

double PresentRows(const std::vector<PublishedSums>& rounds, double rows) {
  std::vector<NoisyShare> shares;
  for (const PublishedSums& round : rounds) {
    const double all = round.present_weight * rows;
    shares.push_back({round.present / all, round.noise_sd / all});
  }
  return rows * PresentShare(shares);
}

Vector RowBelief::Variances() const {
  return features.colwise().squaredNorm().transpose() + residual;
}

Matrix RowBelief::Covariance() const {
  Matrix covariance = features.transpose() * features;
  covariance.diagonal() += residual;
  return covariance;
}

RowStatistic::RowStatistic(const std::vector<PublishedSums>& rounds,
                           const std::vector<DensityPrior>& densities,
                           double rows) {
  Index total = 0;
  for (const PublishedSums& round : rounds) total += round.sums.size();
  const Index cells = rounds.front().features.cols();
  A.resize(total, cells);
  offsets.resize(total, cells);
  w.resize(total);
  Matrix B(total, cells);
  Vector published(total);
  Index begin = 0;
  for (const PublishedSums& round : rounds) {
    const Index rank = round.sums.size();
    const Matrix features = round.features / round.noise_sd;
    A.middleRows(begin, rank) =
        features * round.half_width.cwiseInverse().asDiagonal();
    offsets.middleRows(begin, rank).rowwise() = round.centre.transpose();
    w.segment(begin, rank) = round.sums / round.noise_sd;
    B.middleRows(begin, rank) = round.count_weight * features;
    published.segment(begin, rank) = round.counts / round.noise_sd;
    begin += rank;
  }
  counts = InferCounts(densities, B, published, rows);
  weights = A * counts.mean.asDiagonal();
  w += weights.cwiseProduct(offsets).rowwise().sum();
}

Matrix RowStatistic::CountNoise(const RowBelief& belief) const {
  const Matrix& N = counts.covariance;
  const Matrix D =
      A.cwiseProduct((-offsets).rowwise() + belief.mean.transpose());
  Matrix noise = A * N.cwiseProduct(belief.Covariance()) * A.transpose() +
                 D * N * D.transpose();
  noise.diagonal().array() += 1;
  return noise;
}

Matrix RowStatistic::ObservationNoise(double variance) const {
  return A * (variance * counts.expected).asDiagonal() * A.transpose();
}

}  // namespace cloak
