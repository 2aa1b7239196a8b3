// Textures: of linear memory, of arrays of one to three dimensions, with layers; filters and borders.
#include <cmath>
#include <cstdio>
#include <cstring>

const int width = 8, height = 6, depth = 3;

__global__ void fetch(cudaTextureObject_t texture, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(texture, n - 1 - i);
}
__global__ void sample(cudaTextureObject_t texture, const float2 *at, float *out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = tex2D<float>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void colours(cudaTextureObject_t bytes, cudaTextureObject_t floats, float4 *out) {
  const uchar4 c = tex2D<uchar4>(bytes, 1, 2);
  out[0] = make_float4(c.x, c.y, c.z, c.w);
  out[1] = tex2D<float4>(floats, 1.0f, 2.0f);
  tex2D(&out[2], floats, 1.5f, 2.5f);
}
__global__ void volume(cudaTextureObject_t solid, cudaTextureObject_t layers, cudaTextureObject_t line,
                       float *out) {
  out[0] = tex3D<float>(solid, 1.5f, 2.5f, 1.5f);
  out[1] = tex3D<float>(solid, 2.0f, 2.5f, 2.0f);
  out[2] = tex2DLayered<float>(layers, 2.0f, 2.5f, 2);
  out[3] = tex1D<float>(line, 3.0f);
}

cudaTextureObject_t textureOf(cudaArray_t array, cudaTextureAddressMode mode, bool filtered,
                              bool normalised, cudaTextureReadMode read = cudaReadModeElementType) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description;
  memset(&description, 0, sizeof description);
  for (auto &m : description.addressMode) m = mode;
  description.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode = read;
  description.normalizedCoords = normalised;
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &resource, &description, NULL) != cudaSuccess)
    printf("no texture\n");
  return texture;
}

float host[depth][height][width];

int main() {
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) host[z][y][x] = 100 * z + 10 * y + x;
  float *out, *linear;
  cudaMallocManaged(&out, 64 * sizeof(float));
  cudaMalloc(&linear, 48 * sizeof(float));
  cudaMemcpy(linear, host, 48 * sizeof(float), cudaMemcpyHostToDevice);

  // Of linear memory.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = linear;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 48 * sizeof(float);
  cudaTextureDesc plain = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &plain, NULL);
  fetch<<<1, 64>>>(texture, out, 48);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", out[0], out[1], out[47]);
  cudaDestroyTextureObject(texture);

  // Of rows with a pitch.
  float *rows;
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(rows, pitch, host, width * sizeof(float), width * sizeof(float), height,
               cudaMemcpyHostToDevice);
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = rows;
  pitched.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  pitched.res.pitch2D.width = width;
  pitched.res.pitch2D.height = height;
  pitched.res.pitch2D.pitchInBytes = pitch;
  plain.filterMode = cudaFilterModeLinear;
  plain.addressMode[0] = plain.addressMode[1] = cudaAddressModeClamp;
  cudaCreateTextureObject(&texture, &pitched, &plain, NULL);

  // Two dimensions: between four texels, between two, outside. Fractions have 8 bits.
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, host, width * sizeof(float), width * sizeof(float), height,
                      cudaMemcpyHostToDevice);
  const float2 places[] = {make_float2(2.5f, 3.5f), make_float2(3.0f, 3.5f), make_float2(3, 4),
                           make_float2(2.8f, 3.5f), make_float2(-5, 3.5f), make_float2(9, 100)};
  const float2 normalised[] = {make_float2(2.5f / 8, 3.5f / 6), make_float2(2.5f / 8 + 1, 3.5f / 6 - 2),
                               make_float2(-0.5f / 8, 3.5f / 6), make_float2(1 + 1.5f / 8, 3.5f / 6)};
  float2 *at;
  cudaMallocManaged(&at, sizeof places);
  const auto show = [&](const char *name, cudaTextureObject_t t, const float2 *where, int n) {
    memcpy(at, where, n * sizeof(float2));
    sample<<<1, 32>>>(t, at, out, n);
    cudaDeviceSynchronize();
    printf("%s:", name);
    for (int i = 0; i < n; ++i) printf(" %g", out[i]);
    printf("\n");
  };
  show("point", textureOf(array, cudaAddressModeClamp, false, false), places, 6);
  show("linear", textureOf(array, cudaAddressModeClamp, true, false), places, 6);
  show("pitched", texture, places, 6);
  show("border", textureOf(array, cudaAddressModeBorder, true, false), places, 6);
  show("wrap", textureOf(array, cudaAddressModeWrap, true, true), normalised, 4);
  show("mirror", textureOf(array, cudaAddressModeMirror, true, true), normalised, 4);

  // Four bytes, as they are and as floats.
  unsigned char bytes[height][width][4];
  for (int i = 0; i < height * width * 4; ++i) (&bytes[0][0][0])[i] = i;
  const cudaChannelFormatDesc four = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  cudaArray_t image;
  cudaMallocArray(&image, &four, width, height);
  cudaMemcpy2DToArray(image, 0, 0, bytes, width * 4, width * 4, height, cudaMemcpyHostToDevice);
  float4 *colour;
  cudaMallocManaged(&colour, 3 * sizeof(float4));
  colours<<<1, 1>>>(textureOf(image, cudaAddressModeClamp, false, false),
                    textureOf(image, cudaAddressModeClamp, true, false, cudaReadModeNormalizedFloat),
                    colour);
  cudaDeviceSynchronize();
  printf("bytes: %g %g, as floats: %g and %g\n", colour[0].x, colour[0].w, colour[2].x * 255,
         colour[1].y * 255);

  // Three dimensions, and layers.
  cudaArray_t solid, layers, line;
  cudaMalloc3DArray(&solid, &format, make_cudaExtent(width, height, depth));
  cudaMalloc3DArray(&layers, &format, make_cudaExtent(width, height, depth), cudaArrayLayered);
  cudaMallocArray(&line, &format, width);
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(host, width * sizeof(float), width, height);
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  copy.dstArray = solid;
  cudaMemcpy3D(&copy);
  copy.dstArray = layers;
  cudaMemcpy3D(&copy);
  cudaMemcpy2DToArray(line, 0, 0, host[0][1], width * sizeof(float), width * sizeof(float), 1,
                      cudaMemcpyHostToDevice);
  volume<<<1, 1>>>(textureOf(solid, cudaAddressModeClamp, true, false),
                   textureOf(layers, cudaAddressModeClamp, true, false),
                   textureOf(line, cudaAddressModeClamp, true, false), out);
  cudaDeviceSynchronize();
  printf("volume: %g %g, layer: %g, line: %g\n", out[0], out[1], out[2], out[3]);
  cudaFreeArray(solid);
  cudaFreeArray(image);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
// prints: 57 56 0
// prints: point: 32 33 43 32 30 57
// prints: linear: 32 32.5 37.5 32.3008 30 57
// prints: pitched: 32 32.5 37.5 32.3008 30 57
// prints: border: 32 32.5 37.5 32.3008 0 0
// prints: wrap: 32 32 37 31
// prints: mirror: 32 35 30 36
// prints: bytes: 68 71, as floats: 68 and 51
// prints: volume: 121 171.5, layer: 221.5, line: 12.5
// prints: cudaSuccess
