// Other threads of the host, which may change what a kernel waits for while it runs: where the
// program has some, and arrays that the host may write (Array::isOfHost), a loop that seems to be
// endless is given time.
#pragma once

namespace simt {

// Lets them go on for a moment. False where nothing may come of it: there are none, or for seconds
// they have done nothing, or the launch has waited for long.
bool letOtherThreadsGoOn();

}  // namespace simt
