__global__ void kernel(float *x, int n) { x[0] = n; }
int main() {
  int *wrong = nullptr;
  kernel<<<1, 1>>>(wrong, 3);
}
// refused: refused_wrong_type.cu:4:.*error
