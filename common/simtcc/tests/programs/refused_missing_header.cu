// nvcc: lacks a header
#include <cstdio>
#include "../common/book.h"
int main() { HANDLE_ERROR(cudaDeviceReset()); }
// refused: refused_missing_header.cu:3:10: the header ../common/book.h is missing: it belongs beside this file, as .*[.][.]/common/book[.]h, or into a folder that -I names
