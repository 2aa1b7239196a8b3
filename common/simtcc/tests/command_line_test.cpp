// simtcc as a command: what it refuses to write over, what it leaves behind, whom it tells.
#include <signal.h>

#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

namespace {

class SimtccCommand : public testing::Test {
 protected:
  Outcome simtcc(const Words& arguments, Setting setting = {}) {
    setting.workingFolder = folder_.path();
    return run(SIMTCC, arguments, setting);
  }
  void refuses(const Words& arguments, const std::string& why) {
    const Outcome end = simtcc(arguments);
    EXPECT_EQ(end.exitCode, 2) << why;
    EXPECT_EQ(end.err, "simtcc: " + why + "\n");
    EXPECT_EQ(contentsOf(source_), text_) << "the source was written over: " << why;
  }
  void SetUp() override {
    writeFile(source_, text_);
    writeFile(folder_.path("b.cu"), text_);
  }

  const TemporaryFolder folder_;
  const std::string source_ = folder_.path("a.cu");
  const std::string text_ = "#include \"own.h\"\nint main() {}\n";
};

}  // namespace

TEST_F(SimtccCommand, WritesNoFileOverOneThatItReads) {
  refuses({"a.cu", "-o", "a.cu"}, "a.cu is to be written, and is the source a.cu");
  refuses({"a.cu", "-o", "./a.cu"}, "./a.cu is to be written, and is the source a.cu");
  refuses({"-c", "a.cu", "-o", source_}, source_ + " is to be written, and is the source a.cu");
  refuses({"b.cu", "a.cu", "-o", "a.cu"}, "a.cu is to be written, and is the source a.cu");
  refuses({"-c", "a.cu", "-MF", "a.cu"}, "a.cu is to be written, and is the source a.cu");
  refuses({"--translate", "a.cu", "-MF", "a.cu"}, "a.cu is to be written, and is the source a.cu");
  std::filesystem::create_hard_link(source_, folder_.path("hard"));
  refuses({"a.cu", "-o", "hard"}, "hard is to be written, and is the source a.cu");
  std::filesystem::create_symlink("a.cu", folder_.path("link"));
  refuses({"a.cu", "-o", "link"}, "link is to be written, and is the source a.cu");
  std::filesystem::create_symlink("a.cu", folder_.path("link.cu"));
  refuses({"link.cu", "-o", "a.cu"}, "a.cu is to be written, and is the source link.cu");
  std::filesystem::create_symlink("a.cu", folder_.path("a.out"));
  refuses({"a.cu"}, "a.out is to be written, and is the source a.cu");
  writeFile(folder_.path("a.o"), "");
  refuses({"-c", "a.cu", "a.o"}, "a.o is to be written, and is the source a.o");
}

TEST_F(SimtccCommand, MakesAnEmptyObjectWhereDeviceCodeIsToBeLinked) {
  writeFile(folder_.path("a.o"), "");
  for (const Words& arguments :
       {Words{"-arch=sm_80", "-dlink", "a.o", "-o", "linked.o"}, Words{"--device-link", "a.o"}})
    EXPECT_EQ(simtcc(arguments).exitCode, 0);
  for (const char* made : {"linked.o", "a_dlink.o"})
    EXPECT_NE(contentsOf(folder_.path(made)), "") << made;
}

TEST_F(SimtccCommand, MakesALibraryOfObjects) {
  writeFile(folder_.path("a.o"), "the object");
  EXPECT_EQ(simtcc({"-lib", "a.o", "-o", "libown.a"}).exitCode, 0);
  EXPECT_NE(contentsOf(folder_.path("libown.a")).find("the object"), std::string::npos);
}

TEST_F(SimtccCommand, WritesNoFileOverAHeaderThatTheSourceIncludes) {
  writeFile(folder_.path("own.h"), "// own\n");
  for (const char* option : {"-o", "-MF"})
    refuses({"-c", "a.cu", option, "own.h"}, "own.h is to be written, and a.cu includes it");
  EXPECT_EQ(contentsOf(folder_.path("own.h")), "// own\n");
}

TEST_F(SimtccCommand, WritesNothingTwiceAndNoFolder) {
  refuses({"a.cu", "-o", "p", "-MF", "p"}, "p would be written twice");
  std::filesystem::create_directory(folder_.path("other"));
  writeFile(folder_.path("other/a.cu"), text_);
  refuses({"-c", "a.cu", "other/a.cu"}, "a.o would be written twice");
  refuses({"a.cu", "-o", "other"}, "other is to be written, and is a folder");
  refuses({"-c", "a.cu", "-MF", "other"}, "other is to be written, and is a folder");
  refuses({"--translate"}, "which file? simtcc my_kernel.cu -o my_kernel");
}

TEST_F(SimtccCommand, SaysThatItsOutputCannotBeWritten) {
  writeFile(folder_.path("own.h"), "");
  for (const Words& arguments : {Words{"--translate", "a.cu"}, Words{"--help"}}) {
    const Outcome end = simtcc(arguments, {.standardOutput = "/dev/full"});
    EXPECT_EQ(end.exitCode, 2);
    EXPECT_EQ(end.err, "simtcc: the standard output cannot be written: No space left on device\n");
  }
  refuses({"-c", "a.cu", "-MF", "none/a.d"},
          "none/a.d cannot be written: No such file or directory");
}

TEST_F(SimtccCommand, CompilesCAsC) {
  writeFile(folder_.path("part.c"),
            "#include <stdlib.h>\n"
            "int twice(int class) { int* new = malloc(4); *new = class; return 2 * *new; }\n");
  writeFile(folder_.path("main.cpp"),
            "extern \"C\" int twice(int);\nint main() { return twice(21); }\n");
  EXPECT_EQ(simtcc({"part.c", "main.cpp", "-o", "p", "-run"}).exitCode, 42);
  writeFile(folder_.path("cuda.c"), "#include <cuda_runtime.h>\n");
  const Outcome end = simtcc({"-c", "cuda.c"});
  EXPECT_EQ(end.exitCode, 1);
  EXPECT_TRUE(contains(end.err, "a file that includes them is a .cu or a .cpp file"));
}

TEST_F(SimtccCommand, WritesTheCodeOfAGpuIntoAFile) {
  writeFile(folder_.path("host.cpp"), "");
  writeFile(folder_.path("empty.cu"), "int main() {}\n");
  writeFile(folder_.path("k.cu"), "__global__ void k(int* a) { a[threadIdx.x] = 7; }\n");
  refuses({"-ptx", "host.cpp"}, "-ptx: host.cpp has no kernels, as it is no .cu file");
  refuses({"-ptx", "k.cu", "-o", "k.cu"}, "-ptx writes a .ptx file, and k.cu is none");
  const std::string without =
      "-ptx goes without -c, -dlink, -lib, -MF, -run, --translate and --ptx";
  for (const char* other : {"-c", "-run", "--ptx", "-lib", "-dlink", "--translate"})
    refuses({"-ptx", "k.cu", other}, without);
  refuses({"-ptx", "k.cu", "-MF", "k.d"}, without);
  refuses({"-ptx", "k.cu", "empty.cu", "-o", "both.ptx"}, "-c or -ptx with -o takes one file");
  refuses({"-ptx", "k.cu", "--gpu-compiler=none"}, "k.cu: no compiler of a GPU makes code of it");
#ifdef PROGRAMS_ESTIMATE
  refuses({"-ptx", "empty.cu"}, "empty.cu: it has no kernel");
  EXPECT_EQ(simtcc({"-ptx", "k.cu", "--gpu-compiler=clang++"}).exitCode, 0);
  EXPECT_TRUE(contains(contentsOf(folder_.path("k.ptx")), ".entry _Z1kPi("));
  EXPECT_TRUE(contains(contentsOf(folder_.path("k.ptx")), "\n//by clang++\n"));
  std::filesystem::create_symlink("/dev/full", folder_.path("full.ptx"));
  refuses({"-ptx", "k.cu", "-o", "full.ptx"},
          "full.ptx cannot be written: No space left on device");
#endif
}

#ifdef PROGRAMS_ESTIMATE
// By clang++ too a float4 is one in an array of floats in shared memory, also where some of the
// file has no code.
TEST_F(SimtccCommand, CastsHaveTheAlignmentOfTheirType) {
  const std::string kernel =
      "#include \"own.h\"\n__global__ void k(const float4* a, float4* out) {\n"
      "  __shared__ float s[256];\n  *(float4*)&s[4 * threadIdx.x] = a[threadIdx.x];\n"
      "  __syncthreads();\n  float4 v = reinterpret_cast<float4&>(s[252 - 4 * threadIdx.x]);\n"
      "  v.x += 1; v.y += 1; v.z += 1; v.w += 1; out[threadIdx.x] = v;\n}\nint main() {}\n";
  writeFile(folder_.path("own.h"), "");
  writeFile(folder_.path("k.cu"), kernel);
  writeFile(folder_.path("some.cu"), kernel + "__global__ void other() { nothing(); }\n");
  for (const std::string name : {"k", "some"}) {
    EXPECT_EQ(simtcc({"-ptx", name + ".cu", "--gpu-compiler=clang++"}).exitCode, 0);
    const std::string ptx = contentsOf(folder_.path(name + ".ptx"));
    EXPECT_TRUE(contains(ptx, "ld.shared.v4.f32")) << name;
    EXPECT_FALSE(contains(ptx, "st.shared.u32")) << name;
  }
}
#endif

// A size called N, options with several words, libraries that a program only names.
TEST_F(SimtccCommand, TakesWhatMakefilesPass) {
  writeFile(folder_.path("own.cu"),
            "#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n#include <cstdio>\n"
            "int main() { printf(\"%d\", N); }\n");
  const Outcome end = simtcc({"-O3",
                              "-std=c++11",
                              "-arch=sm_60",
                              "-gencode",
                              "arch=compute_80,code=sm_80",
                              "-Xptxas",
                              "-v",
                              "-Xcompiler",
                              "-Wall,-O2 -fno-math-errno",
                              "-DN=7",
                              "--use_fast_math",
                              "-Werror",
                              "all-warnings",
                              "-MMD",
                              "-lcudart",
                              "-lcufft",
                              "-lnvToolsExt",
                              "own.cu",
                              "-o",
                              "p",
                              "-run"});
  EXPECT_EQ(end.exitCode, 0) << end.err;
  EXPECT_EQ(end.out, "7");
}

TEST_F(SimtccCommand, SaysWhichNameOfCudaIsNotThere) {
  writeFile(folder_.path("own.cu"),
            "__global__ void k(int* x) {\n  x[0] = __not_there(3);\n  x[1] = mistake;\n}\n"
            "int main() {}\n");
  const Outcome end = simtcc({"own.cu", "-o", "p"});
  EXPECT_EQ(end.exitCode, 1);
  EXPECT_TRUE(contains(end.err, "own.cu:2:")) << end.err;
  EXPECT_TRUE(contains(end.err, "simtcc: __not_there is not supported")) << end.err;
  EXPECT_FALSE(contains(end.err, "simtcc: mistake")) << end.err;
}

// What cannot be both: members of a class, parameters of a kernel.
TEST_F(SimtccCommand, SaysWhereTheHostTakesTheWayOfTheDevice) {
  const std::string real =
      "#ifdef __CUDA_ARCH__\n  typedef float real;\n#else\n  typedef double real;\n#endif\n";
  writeFile(folder_.path("own.cu"), "#include <cstdio>\nstruct Box {\n" + real +
                                        "  real x;\n};\n"
                                        "int main() { printf(\"%d\", int(sizeof(Box))); }\n");
  const Outcome member = simtcc({"own.cu", "-o", "p", "-run"});
  EXPECT_EQ(member.out, "4") << member.err;
  EXPECT_TRUE(contains(member.err, "own.cu:8: warning: x is not the same for the host"))
      << member.err;
  writeFile(folder_.path("own.cu"),
            "#include <cstdio>\n" + real +
                "__global__ void k(real *x) { *x = 1; }\n"
                "int main() { real *x; cudaMallocManaged(&x, 8); k<<<1, 1>>>(x);\n"
                "  cudaDeviceSynchronize(); printf(\"%d %g\", int(sizeof(real)), double(*x)); }\n");
  const Outcome parameter = simtcc({"own.cu", "-o", "p", "-run"});
  EXPECT_EQ(parameter.out, "4 1") << parameter.err;
  EXPECT_TRUE(contains(parameter.err, "own.cu: where __CUDA_ARCH__ decides, host code takes"))
      << parameter.err;
}

// As old programs are compiled today; no function of the headers may come to call itself.
TEST_F(SimtccCommand, TakesOldNamesForNewOnes) {
  writeFile(folder_.path("old.cu"),
            "#include <cstdio>\n"
            "int main() { printf(\"%d\", cudaThreadSynchronize() + cudaThreadExit()); }\n");
  const Outcome end = simtcc({"-DcudaThreadSynchronize=cudaDeviceSynchronize", "-run",
                              "-DcudaThreadExit=cudaDeviceReset", "old.cu", "-o", "p"});
  EXPECT_EQ(end.exitCode, 0);
  EXPECT_EQ(end.out, "0") << end.err;
}

// The header is a pipe that nobody writes into: the compiler waits for it until the signal comes.
TEST_F(SimtccCommand, LeavesNothingBehindWhenASignalEndsIt) {
  ASSERT_EQ(mkfifo(folder_.path("own.h").c_str(), 0600), 0);
  const TemporaryFolder temporary;
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    const Outcome end = run("/bin/bash", {"-c",
                                          "set -m; cd \"$1\"; TMPDIR=\"$2\" \"$0\" a.cu -o p & "
                                          "until [ -n \"$(ls -A \"$2\")\" ]; do sleep 0.01; done; "
                                          "kill -" +
                                              signal + " $!; wait $!; kill -l $?",
                                          SIMTCC, folder_.path(), temporary.path()});
    EXPECT_EQ(end.out, signal + "\n") << end.err;
    EXPECT_EQ(temporary.names(), std::vector<std::string>()) << signal;
  }
}
