__global__ void mayThrow(int *x) {
  if (*x > 0) throw 1;
}
int main() {
  try {
    mayThrow<<<1, 1>>>(nullptr);
  } catch (...) {
  }
}
// refused: refused_exceptions.cu:2: error: a kernel cannot have exceptions \(throw\)
