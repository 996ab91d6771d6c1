#ifndef CLOAK_BASE_INSTRUCTION_SETS_H_
#define CLOAK_BASE_INSTRUCTION_SETS_H_

// Stands before a function whose loops are worth compiling for AVX2 and
// AVX-512 as well; the program picks one when it is loaded. Sanitizers cannot
// run the resolvers, and other compilers do without.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) &&        \
    !defined(__SANITIZE_THREAD__)
#define CLOAK_FOR_EACH_INSTRUCTION_SET \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLOAK_FOR_EACH_INSTRUCTION_SET
#endif

#endif  // CLOAK_BASE_INSTRUCTION_SETS_H_
