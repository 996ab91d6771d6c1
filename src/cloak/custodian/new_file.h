#ifndef CLOAK_CUSTODIAN_NEW_FILE_H_
#define CLOAK_CUSTODIAN_NEW_FILE_H_

#include <string>
#include <vector>

namespace cloak {

// Throws InvalidInput unless a file can be written at `path` and is not one of
// `read`, the files that are read meanwhile. To be called before anything is
// spent, so that no budget is lost for a misspelt directory; the file itself
// appears only when its content is complete (data/atomic_file.h).
void RequireWritable(const std::string& path,
                     const std::vector<std::string>& read);

// The same for a release; throws also when there is a file of that name, unless
// it is to be overwritten.
void RequireNewFile(const std::string& path, bool overwrite,
                    const std::vector<std::string>& read);

}  // namespace cloak

#endif  // CLOAK_CUSTODIAN_NEW_FILE_H_
