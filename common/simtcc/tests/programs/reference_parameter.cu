// A kernel may take a reference to managed memory.
#include <cstdio>

struct Element {
  int key;
  float value[2];
  void *operator new(size_t bytes) {
    void *place;
    cudaMallocManaged(&place, bytes);
    return place;
  }
  void operator delete(void *place) { cudaFree(place); }
};
__global__ void change(Element &element, const int &step) {
  element.key += step;
  element.value[1] = 2.5f;
}

int main() {
  Element *element = new Element;
  element->key = 5;
  int *step;
  cudaMallocManaged(&step, sizeof *step);
  *step = 10;
  change<<<1, 1>>>(*element, *step);
  cudaDeviceSynchronize();
  printf("%d %g\n", element->key, element->value[1]);
  delete element;
}
// prints: 15 2.5
