#ifndef CLOAK_KERNELS_CATALOGUE_H_
#define CLOAK_KERNELS_CATALOGUE_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/kernels/kernel.h"
#include "cloak/kernels/node.h"

namespace cloak {

// The arguments that stand between the parentheses of one kernel; 1 where left
// out.
class KernelArguments {
 public:
  bool Has(std::string_view name) const { return values_.contains(name); }
  void Set(std::string_view name, PerInput value);
  PerInput List(std::string_view name) const;
  // Throws InvalidInput when the argument was given as a list.
  double Number(std::string_view name) const;

 private:
  std::map<std::string, PerInput, std::less<>> values_;
};

// A kernel as it is written in an expression.
struct KernelEntry {
  std::string_view name;
  // The first may go without its name.
  std::vector<std::string_view> arguments;
  NodePointer (*make)(const KernelArguments&);
};

// Every kernel there is.
const std::vector<KernelEntry>& KernelCatalogue();
std::vector<std::string_view> KernelNames();

// Our name for a kernel that other software calls `name`, or "".
std::string OurNameFor(std::string_view name);

}  // namespace cloak

#endif  // CLOAK_KERNELS_CATALOGUE_H_
