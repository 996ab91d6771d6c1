// Writes the simulated survey to standard output: nobody in it exists.
//
// The same program gives the same file on any machine: the generator is fixed
// by the C++ standard, the uniform and normal numbers are made from its bits
// here (the standard leaves its own distributions to the library), and
// rounding to one decimal hides the last bits of log, cos and sqrt.
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <numbers>
#include <random>

namespace {

constexpr int kPeople = 300;
constexpr std::uint64_t kSeed = 20240229;

// Typical heights (cm) at some ages (years), in round numbers; straight lines
// between them.
struct Typical {
  double age;
  double height;
};
constexpr std::array kGrowth = std::to_array<Typical>({{0.5, 67},
                                                       {1, 75},
                                                       {2, 87},
                                                       {4, 102},
                                                       {6, 116},
                                                       {8, 128},
                                                       {10, 138},
                                                       {12, 150},
                                                       {14, 161},
                                                       {16, 167},
                                                       {18, 169.5},
                                                       {20, 170},
                                                       {45, 170},
                                                       {80, 165}});

// Standard deviation of heights at one age, as a fraction of the typical one.
constexpr double kSpread = 0.045;

double TypicalHeight(double age) {
  std::size_t i = 1;
  while (i + 1 < kGrowth.size() && kGrowth[i].age < age) ++i;
  const Typical& from = kGrowth[i - 1];
  const Typical& to = kGrowth[i];
  return from.height +
         (to.height - from.height) * (age - from.age) / (to.age - from.age);
}

double RoundToTenth(double value) { return std::round(10 * value) / 10; }

class Numbers {
 public:
  // Uniform in (0, 1).
  double Uniform() {
    return (static_cast<double>(bits_() >> 12U) + 0.5) * 0x1p-52;
  }

  // Standard normal, by Box and Muller (1958).
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(Uniform()));
    return radius * std::cos(2 * std::numbers::pi * Uniform());
  }

 private:
  std::mt19937_64 bits_{kSeed};
};

}  // namespace

int main() {
  Numbers numbers;
  std::cout << "age,height\n" << std::fixed;
  std::cout.precision(1);
  for (int i = 0; i < kPeople; ++i) {
    // A young population: half of it is below 20.
    const double u = numbers.Uniform();
    const double age = RoundToTenth(0.5 + 79.5 * u * u);
    const double typical = TypicalHeight(age);
    const double height = typical * (1 + kSpread * numbers.Normal());
    std::cout << age << ',' << RoundToTenth(height) << '\n';
  }
  return std::cout.good() ? 0 : 1;
}
