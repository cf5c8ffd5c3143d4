/** Names that the language itself gives meaning: writing another of them is a change of logic and no rename. */

const markup = 'anchor big blink bold fixed fontcolor fontsize italics link small strike sub sup constructor'.split(' ')

/** The methods of lists and texts: `some` for `every`, `push` for `unshift`. */
const methods = [Array, String, Number]
  .flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
  .filter((name) => !markup.includes(name))

export const scriptGlobals: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis))
export const scriptMethods: ReadonlySet<string> = new Set(methods)

export const pythonBuiltins: ReadonlySet<string> = new Set(
  `abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict
  dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
  isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range
  repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
  ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError BufferError
  ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError EOFError
  Ellipsis Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError GeneratorExit ImportError
  IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
  ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
  PermissionError ProcessLookupError RecursionError ReferenceError RuntimeError StopAsyncIteration StopIteration
  SyntaxError SystemError SystemExit TabError TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError
  UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError`.split(/\s+/),
)
