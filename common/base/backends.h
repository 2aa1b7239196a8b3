// The two backends of every program.
#pragma once

// What runs the kernels: a GPU, or the executor on the CPU.
enum class Backend { gpu, cpu };
