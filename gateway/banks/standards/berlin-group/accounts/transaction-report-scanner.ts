/** Parses a transaction report incrementally: its entries one by one, and at the end the JSON around them. */
import { parseJson } from '../../../../platform/parse-json.ts'

/** The JSON of an entry, and its list. */
export type ScannedEntry = { readonly list: EntryList; readonly value: unknown }
type EntryList = 'booked' | 'pending'

/** Receives the chunks of one JSON text in order. Throws `UnreadableReport`. */
export type ReportScanner = {
  /** The entries that end in this chunk. */
  take(part: Uint8Array): readonly ScannedEntry[]
  /** The report with empty lists, after the last chunk. */
  end(): unknown
}

/** Thrown for invalid JSON, and for parts above their size limits. */
export class UnreadableReport extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreadableReport'
  }
}

/** A batch entry with all its transactions has some hundred kilobytes. */
const ENTRY_BYTES_MAX = 4 * 1024 * 1024
/** Account, balances and links. */
const SHELL_BYTES_MAX = 256 * 1024

/** Nesting depth of the lists in `transactions`, and of their entries. */
const TRANSACTIONS = 2
const LIST = 3

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const CLOSE_OBJECT = 0x7d
const CLOSE_ARRAY = 0x5d
/** Between two entries. */
const BETWEEN: ReadonlySet<number> = new Set([...' \t\r\n,'].map((character) => character.charCodeAt(0)))

type Scan = {
  /** The bytes of the JSON around the entries. */
  readonly shell: number[]
  /** The bytes of an entry that began in earlier chunks. */
  carried: Uint8Array[]
  carriedBytes: number
  depth: number
  isInText: boolean
  isEscaped: boolean
  /** Start of the last string of the shell; it is the name of the next object or list. */
  textFrom: number
  isInTransactions: boolean
  list: EntryList | null
  isInEntry: boolean
}

/** Starts a report. */
export function scanReport(): ReportScanner {
  const scan: Scan = {
    shell: [],
    carried: [],
    carriedBytes: 0,
    depth: 0,
    isInText: false,
    isEscaped: false,
    textFrom: 0,
    isInTransactions: false,
    list: null,
    isInEntry: false,
  }
  return {
    take: (part) => scanPart(scan, part),
    end: () => parse(Uint8Array.from(scan.shell)),
  }
}

function scanPart(scan: Scan, part: Uint8Array): readonly ScannedEntry[] {
  const entries: ScannedEntry[] = []
  let at = 0
  while (at < part.length) {
    if (scan.isInEntry && scan.list !== null) {
      const end = endOfEntry(scan, part, at)
      carry(scan, part.subarray(at, end))
      at = end
      if (!scan.isInEntry) {
        entries.push({ list: scan.list, value: parse(flushEntryBytes(scan)) })
      }
    } else {
      at = endOfShell(scan, part, at)
    }
  }
  return entries
}

/** Advances to the next entry or the end of the chunk. */
function endOfShell(scan: Scan, part: Uint8Array, from: number): number {
  for (let at = from; at < part.length; at += 1) {
    const byte = part[at] ?? 0
    const isBetween = scan.list !== null && scan.depth === LIST && !scan.isInText
    if (isBetween && byte === OPEN_OBJECT) {
      scan.isInEntry = true
      return at
    }
    if (!(isBetween && BETWEEN.has(byte))) {
      appendToShell(scan, byte)
    }
  }
  return part.length
}

function appendToShell(scan: Scan, byte: number): void {
  if (scan.shell.push(byte) > SHELL_BYTES_MAX) {
    throw new UnreadableReport('The report exceeds the size limit outside its entries')
  }
  if (scan.isInText) {
    followText(scan, byte)
  } else if (byte === QUOTE) {
    scan.isInText = true
    scan.textFrom = scan.shell.length - 1
  } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    openInShell(scan, byte)
  } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
    scan.depth -= 1
    scan.list = scan.depth < LIST ? null : scan.list
    scan.isInTransactions = scan.isInTransactions && scan.depth >= TRANSACTIONS
  }
}

/** In valid JSON a value in an object follows its name. */
function openInShell(scan: Scan, byte: number): void {
  scan.depth += 1
  if (scan.depth === TRANSACTIONS && byte === OPEN_OBJECT) {
    scan.isInTransactions = lastText(scan) === 'transactions'
  } else if (scan.depth === LIST && byte === OPEN_ARRAY && scan.isInTransactions) {
    const name = lastText(scan)
    scan.list = name === 'booked' || name === 'pending' ? name : null
  }
}

function lastText({ shell, textFrom }: Scan): string {
  const text = Buffer.from(shell.slice(textFrom)).toString()
  return /^"([^"\\]*)"\s*:\s*[{[]$/.exec(text)?.[1] ?? ''
}

/** Advances past the entry or to the end of the chunk. */
function endOfEntry(scan: Scan, part: Uint8Array, from: number): number {
  for (let at = from; at < part.length; at += 1) {
    const byte = part[at] ?? 0
    if (scan.isInText) {
      followText(scan, byte)
    } else if (byte === QUOTE) {
      scan.isInText = true
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      scan.depth += 1
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      scan.depth -= 1
      if (scan.depth === LIST) {
        scan.isInEntry = false
        return at + 1
      }
    }
  }
  return part.length
}

function followText(scan: Scan, byte: number): void {
  if (scan.isEscaped) {
    scan.isEscaped = false
  } else if (byte === BACKSLASH) {
    scan.isEscaped = true
  } else if (byte === QUOTE) {
    scan.isInText = false
  }
}

function carry(scan: Scan, piece: Uint8Array): void {
  scan.carried.push(piece)
  scan.carriedBytes += piece.length
  if (scan.carriedBytes > ENTRY_BYTES_MAX) {
    throw new UnreadableReport('An entry of the report exceeds the size limit')
  }
}

function flushEntryBytes(scan: Scan): Uint8Array {
  const [first = new Uint8Array(), ...more] = scan.carried
  const bytes = more.length === 0 ? first : Buffer.concat(scan.carried)
  scan.carried = []
  scan.carriedBytes = 0
  return bytes
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch (error) {
    throw new UnreadableReport('The report is not JSON', error)
  }
}
