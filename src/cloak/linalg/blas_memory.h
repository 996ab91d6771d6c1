#ifndef CLOAK_LINALG_BLAS_MEMORY_H_
#define CLOAK_LINALG_BLAS_MEMORY_H_

namespace cloak {

// How many threads, up to `wanted`, can use BLAS at the same time. OpenBLAS
// takes a buffer of 128 MiB of address space for each of them when it is first
// needed, keeps it, and without one tries again for ever. So where the address
// space of this process is limited (ulimit -v), as many buffers as fit are
// taken now. Throws InvalidInput that says how much is missing when there is
// not room for one.
int ThreadsThatFit(int wanted);

// Whether there is such a limit.
bool HasLittleAddressSpace();

}  // namespace cloak

#endif  // CLOAK_LINALG_BLAS_MEMORY_H_
