# build/compare.js, made by the target compare_in_browser where Emscripten is found (Debian: emscripten): compare as
# WebAssembly that the site's page of results loads. One file, as pages opened from a disk can fetch none; of
# fmt and nlohmann-json only the headers, which Emscripten must not see among those of the system.
find_program(EMCC emcc)
find_path(FMT_HEADERS fmt/core.h)
find_path(JSON_HEADERS nlohmann/json.hpp)
if(NOT EMCC OR NOT FMT_HEADERS OR NOT JSON_HEADERS)
  return()
endif()
set(headers ${CMAKE_CURRENT_BINARY_DIR}/in_browser)
file(MAKE_DIRECTORY ${headers})
file(CREATE_LINK ${FMT_HEADERS}/fmt ${headers}/fmt SYMBOLIC)
file(CREATE_LINK ${JSON_HEADERS}/nlohmann ${headers}/nlohmann SYMBOLIC)
set(together "")
foreach(source compare/in_browser compare/comparison compare/comparison_tables compare/html_page compare/reasons
    compare/remarks report/counter_column report/read_result report/report report/statistics base/counts
    base/escape base/markup base/table base/table_fitter base/terminal base/text base/unicode)
  string(APPEND together "#include \"${source}.cpp\"\n")
endforeach()
file(CONFIGURE OUTPUT ${headers}/together.cpp CONTENT "${together}" @ONLY)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/compare.js DEPFILE ${headers}/together.d
  DEPENDS ${headers}/together.cpp
  COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs ${EMCC} -std=c++20 -Wall -Wextra -Os -DFMT_HEADER_ONLY -fexceptions
    -I ${WORKSHOP_DIR}/common -I ${CMAKE_CURRENT_BINARY_DIR} -I ${headers}
    -include ${CMAKE_CURRENT_SOURCE_DIR}/older_libcxx.h
    -c ${headers}/together.cpp -o ${headers}/together.o -MD -MF ${headers}/together.d -MT ${CMAKE_BINARY_DIR}/compare.js
  COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs ${EMCC} -Os -fexceptions ${headers}/together.o
    -o ${CMAKE_BINARY_DIR}/compare.js -sMODULARIZE=1 -sEXPORT_NAME=compareModule -sSINGLE_FILE=1
    -sDYNAMIC_EXECUTION=0 -sALLOW_MEMORY_GROWTH=1 -sFILESYSTEM=0 -sENVIRONMENT=web
    -sEXPORTED_FUNCTIONS=_takeResult,_whyRefused,_comparedPage,_malloc
    -sEXPORTED_RUNTIME_METHODS=stringToUTF8,lengthBytesUTF8,UTF8ToString
  COMMENT "compare as WebAssembly" VERBATIM)
add_custom_target(compare_in_browser DEPENDS ${CMAKE_BINARY_DIR}/compare.js)
