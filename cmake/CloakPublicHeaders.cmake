# The headers that `cmake --install` installs: what a C++ program may include. All
# others stay at home, and may change without notice.
#
# To publish a header, add it to the first list, and whatever it includes that is in
# neither list to the second. A test (tests/install/headers.cmake) says what is missing, and
# what need not be there.

# What the documentation speaks of.
set(CLOAK_PUBLIC_HEADERS
  base/error.h
  custodian/ledger_charge.h
  custodian/model_choice.h
  custodian/new_file.h
  custodian/pending_release.h
  custodian/request.h
  data/csv.h
  data/secret.h
  data/table.h
  kernels/kernel.h
  ledger/ledger.h
  linalg/matrix.h
  linalg/threads.h
  models/make_plan.h
  models/plan.h
  models/setting.h
  models/task.h
  privacy/accountant.h
  privacy/budget.h
  privacy/coinpress_mean.h
  privacy/count_mechanism.h
  privacy/gaussian_mechanism.h
  privacy/label_mechanism.h
  privacy/privacy_filter.h
  privacy/randomness.h
  privacy/selection_mechanism.h
  release/file_format.h
  release/release.h)

# What those include. Nobody needs to include one of these by name.
set(CLOAK_INCLUDED_HEADERS
  base/progress.h
  base/text.h
  gp/basis.h
  ledger/account.h
  ledger/chain.h
  ledger/fingerprint.h
  ledger/fingerprinter.h
  ledger/ledger_key.h
  ledger/price.h
  ledger/sql_connection.h
  linalg/boxes.h
  linalg/cholesky.h
  linalg/privacy_units.h
  linalg/row_sites.h
  models/observed_release.h
  models/row_order.h
  privacy/bin_count_mechanism.h
  privacy/composition.h
  privacy/custodian_view.h
  privacy/discrete_laplace.h
  privacy/event.h
  privacy/exact_gaussian.h
  privacy/gaussian_sum.h
  privacy/integer128.h
  privacy/integer_weights.h
  privacy/quantized_output.h
  privacy/scratch.h
  privacy/unit_columns.h
  privacy/unit_sensitivity.h
  privacy/utility_grid.h
  release/byte_source.h
  release/density.h
  release/names.h
  release/site_statistics.h
  selection/residual_norm.h
  selection/worth_choosing.h)
