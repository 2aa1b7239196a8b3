// The development set: kernels of many kinds that the timing model is made better with. Times on a
// GPU, counts without one, every result checked on either.
#include "../../frozen/set_program.h"

int main(int argc, char** argv) {
  return runSet(argc, argv, "development_kernels", developmentSet);
}
