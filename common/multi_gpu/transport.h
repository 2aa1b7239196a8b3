// How the processes of one program send each other texts.
#pragma once

#include <string>

// Used by one thread of each process. Texts from one process come in the order in which it sent
// them.
class Transport {
 public:
  virtual ~Transport() = default;

  // This process's number, and how many there are.
  virtual unsigned rank() const = 0;
  virtual unsigned count() const = 0;

  // Sends a text of less than 2 GB and does not wait for it to be received.
  virtual void send(unsigned to, const std::string& text) = 0;
  // Takes the next text from there, or returns false where none has come yet.
  virtual bool receive(unsigned from, std::string& text) = 0;

  // Waits for the others to leave, too: nothing is sent after that.
  virtual void leave() = 0;
  // Ends all processes at once.
  [[noreturn]] virtual void abort(int exitCode) = 0;
};
