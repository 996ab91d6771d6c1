#ifndef CLOAK_APPS_SERVER_MEMORY_RESERVE_H_
#define CLOAK_APPS_SERVER_MEMORY_RESERVE_H_

namespace cloak {

// Keeps some memory aside for the moment when there is no more. It is given
// back before std::bad_alloc is thrown, so that what is destroyed on the way to
// whoever catches that may allocate: nlohmann's JSON does, and would end the
// process if it could not.
//
// Called when the process begins to serve, and again now and then, to keep
// memory aside anew. Does nothing while some is.
void KeepMemoryReserve();

}  // namespace cloak

#endif  // CLOAK_APPS_SERVER_MEMORY_RESERVE_H_
