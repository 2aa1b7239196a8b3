// The frozen set: times on a GPU, counts without one, every result checked on either.
#include "set_program.h"

int main(int argc, char** argv) { return runSet(argc, argv, "frozen_kernels", frozenSet); }
