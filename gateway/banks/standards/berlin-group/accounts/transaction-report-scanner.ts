/** Takes a report of entries apart while it arrives: its entries one by one, and at the end what stands around them. */
import { parseJson } from '../../../../platform/parse-json.ts'

/** An entry as the bank wrote it, and in which list. */
export type ScannedEntry = { readonly list: EntryList; readonly value: unknown }
type EntryList = 'booked' | 'pending'

/** Reads the parts of one JSON text in order. Throws `UnreadableReport`. */
export type ReportScanner = {
  /** The entries that end in this part. */
  take(part: Uint8Array): readonly ScannedEntry[]
  /** The report with its lists empty, once there are no more parts. */
  end(): unknown
}

/** Thrown for what is no JSON, and for what is larger than it has reason to be. */
export class UnreadableReport extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreadableReport'
  }
}

/** A batch with all its parts is some hundred kilobytes. */
const ENTRY_BYTES_MAX = 4 * 1024 * 1024
/** Account, balances and links. */
const SHELL_BYTES_MAX = 256 * 1024

/** How deep things stand: members of `transactions`, and the entries of a list. */
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
  /** The bytes of what stands around the entries. */
  readonly shell: number[]
  /** The bytes of an entry that has begun in earlier parts. */
  carried: Uint8Array[]
  carriedBytes: number
  depth: number
  isInText: boolean
  isEscaped: boolean
  /** Where the last text of the shell begins; it is the name of what is opened next. */
  textFrom: number
  isInTransactions: boolean
  list: EntryList | null
  isInEntry: boolean
}

/** Begins a report. */
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
    take: (part) => takePart(scan, part),
    end: () => parse(Uint8Array.from(scan.shell)),
  }
}

function takePart(scan: Scan, part: Uint8Array): readonly ScannedEntry[] {
  const entries: ScannedEntry[] = []
  let at = 0
  while (at < part.length) {
    if (scan.isInEntry && scan.list !== null) {
      const end = endOfEntry(scan, part, at)
      carry(scan, part.subarray(at, end))
      at = end
      if (!scan.isInEntry) {
        entries.push({ list: scan.list, value: parse(takeCarried(scan)) })
      }
    } else {
      at = endOfShell(scan, part, at)
    }
  }
  return entries
}

/** Goes on to where an entry begins, or the part ends. */
function endOfShell(scan: Scan, part: Uint8Array, from: number): number {
  for (let at = from; at < part.length; at += 1) {
    const byte = part[at] ?? 0
    const isBetween = scan.list !== null && scan.depth === LIST && !scan.isInText
    if (isBetween && byte === OPEN_OBJECT) {
      scan.isInEntry = true
      return at
    }
    if (!(isBetween && BETWEEN.has(byte))) {
      takeOfShell(scan, byte)
    }
  }
  return part.length
}

function takeOfShell(scan: Scan, byte: number): void {
  if (scan.shell.push(byte) > SHELL_BYTES_MAX) {
    throw new UnreadableReport('The report says more around its entries than there is to say')
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

/** In sound JSON what opens inside an object stands behind its name. */
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

/** Goes on to behind the entry, or to where the part ends. */
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
    throw new UnreadableReport('One entry of the report is larger than any has reason to be')
  }
}

function takeCarried(scan: Scan): Uint8Array {
  const [whole = new Uint8Array(), ...more] = scan.carried
  const bytes = more.length === 0 ? whole : Buffer.concat(scan.carried)
  scan.carried = []
  scan.carriedBytes = 0
  return bytes
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch (error) {
    throw new UnreadableReport('The report is no JSON', error)
  }
}
