/** Reads a JSON document in steps: pieces of some kilobytes are parsed by `JSON.parse`, and containers of any length around them. */
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  endsAfterMember,
  InvalidJsonError,
  type JsonBytes,
  JsonLimitError,
  type MemberRun,
  nextByte,
  OPEN_ARRAY,
  takeMembers,
  takeName,
  takeOpening,
  UnexpectedEndError,
} from './json-bytes.ts'

/** A piece of this size is parsed in about a tenth of a millisecond. */
export const PIECE_BYTES = 16 * 1024
/** Listing the names of an object is one step. */
const MEMBERS_MAX = 100_000

/** For limits: the JSON of payrolls, payments and entries has about thirty bytes for each of its values. */
export const BYTES_PER_VALUE = 24

/** Parses one piece; throws for text that is not JSON or not acceptable. */
export type ParseChunk = (text: string) => unknown

/**
 * How a text is parsed; nothing is nested deeper than `levelsMax`. A value takes far more memory than the two bytes that
 * it may be written with: no more than `valuesMax` are held, an empty container counting as two.
 */
export type ReadJsonOptions = {
  readonly readPiece: ParseChunk
  readonly levelsMax: number
  readonly valuesMax: number
  readonly pieceBytes?: number
}

/** Names of members from the outermost object on. */
type JsonPath = readonly string[]

export type StreamJsonOptions = ReadJsonOptions & {
  /** The lists whose elements are passed on as they arrive. In the value they are empty. */
  readonly lists: readonly JsonPath[]
  /** For the value, and for a single element. */
  readonly heldBytesMax: number
}

/** Consecutive elements of a list, and about how long they are in JSON. */
export type JsonElements = { readonly path: JsonPath; readonly elements: readonly unknown[]; readonly bytes: number }

export const MORE = Symbol('more bytes are needed')
/** Nothing is a moment at which the event loop may run. */
type Step = typeof MORE | JsonElements | undefined

/** The bytes, how they are parsed, and the position. */
export type Reading = JsonBytes &
  Required<ReadJsonOptions> &
  Pick<StreamJsonOptions, 'lists'> & {
    isComplete: boolean
    /** Bytes that are not there any more, and bytes of elements that were passed on. */
    dropped: number
    passedOn: number
    /** How many values are held. */
    values: number
  }
/** Where a container is. */
type Place = { readonly level: number; readonly path: JsonPath }

/** Starts before the first byte; without more bytes to come unless `isComplete` is changed. */
export function startReading(bytes: Buffer, options: ReadJsonOptions & Pick<StreamJsonOptions, 'lists'>): Reading {
  return { pieceBytes: PIECE_BYTES, ...options, bytes, at: 0, isComplete: true, dropped: 0, passedOn: 0, values: 0 }
}

/** Yields where more bytes are needed, where elements are passed on, and where the event loop may run. */
export function* readDocument(reading: Reading): Generator<Step, unknown> {
  const value = yield* readContainer(reading, { level: 0, path: [] })
  for (;;) {
    const { at } = reading
    if (hasMore(reading)) {
      throw new InvalidJsonError('Something follows the end')
    }
    if (reading.isComplete) {
      return value
    }
    reading.at = at
    yield MORE
  }
}

/** Whether there is anything but white space. */
function hasMore(reading: Reading): boolean {
  try {
    nextByte(reading)
    return true
  } catch (error) {
    if (error instanceof UnexpectedEndError) {
      return false
    }
    throw error
  }
}

/** Repeats a step from its start when it ran out of bytes and there are more. */
function* withAllBytes<Result>(reading: Reading, step: () => Result): Generator<Step, Result> {
  for (;;) {
    const { at } = reading
    try {
      return step()
    } catch (error) {
      if (!(error instanceof UnexpectedEndError) || reading.isComplete) {
        throw error
      }
      reading.at = at
      yield MORE
    }
  }
}

/** From the opening bracket to behind the closing one. */
function* readContainer(reading: Reading, place: Place): Generator<Step, unknown> {
  const opening = yield* withAllBytes(reading, () => takeOpening(reading))
  reading.values += 1
  if (place.level >= reading.levelsMax) {
    throw new JsonLimitError(nestedTooDeepMessage(reading.levelsMax))
  }
  return opening === OPEN_ARRAY ? yield* readArray(reading, place) : yield* readObject(reading, place)
}

function* readArray(reading: Reading, { level, path }: Place): Generator<Step, unknown[]> {
  const isPassedOn = isList(reading, path)
  const element = { level: level + 1, path: [...path, '[]'] }
  const elements: unknown[] = []
  let total = 0
  for (;;) {
    const from = positionOf(reading)
    const { values } = reading
    const run = yield* takeRun(reading, CLOSE_ARRAY, level)
    const some =
      run === undefined ? [yield* readContainer(reading, element)] : (reading.readPiece(`[${run.text}]`) as unknown[])
    if (isPassedOn) {
      const bytes = positionOf(reading) - from
      reading.passedOn += bytes
      reading.values = values
      yield { path, elements: some, bytes }
    } else {
      elements.push(...some)
      yield
    }
    if (run?.isLast ?? (yield* withAllBytes(reading, () => endsAfterMember(reading, CLOSE_ARRAY)))) {
      requireMembers(some.length, total)
      return elements
    }
    requireMembers(some.length, 1)
    total += some.length
  }
}

function* readObject(reading: Reading, { level, path }: Place): Generator<Step, object> {
  const members: Record<string, unknown> = {}
  let total = 0
  for (;;) {
    const run = yield* takeRun(reading, CLOSE_OBJECT, level)
    const some =
      run === undefined
        ? yield* readLongMember(reading, { level, path })
        : Object.entries(reading.readPiece(`{${run.text}}`) as object)
    for (const [name, value] of some) {
      setMember(members, name, value)
    }
    const before = total
    total += some.length
    if (total > MEMBERS_MAX) {
      throw new JsonLimitError(`The body contains an object with more than ${MEMBERS_MAX} fields`)
    }
    yield
    if (run?.isLast ?? (yield* withAllBytes(reading, () => endsAfterMember(reading, CLOSE_OBJECT)))) {
      requireMembers(some.length, before)
      return members
    }
    requireMembers(some.length, 1)
  }
}

function* readLongMember(reading: Reading, { level, path }: Place): Generator<Step, [string, unknown][]> {
  const literal = yield* withAllBytes(reading, () => takeName(reading))
  const [name = ''] = Object.keys(reading.readPiece(`{${literal}:0}`) as object)
  return [[name, yield* readContainer(reading, { level: level + 1, path: [...path, name] })]]
}

function* takeRun(reading: Reading, closing: number, level: number): Generator<Step, MemberRun | undefined> {
  // Outside of the lists every container is read on its own, so that their elements are always passed on.
  const isOutside = reading.lists.some(({ length }) => level < length)
  const take = () => takeMembers(reading, closing, isOutside ? 0 : reading.pieceBytes)
  const run = yield* withAllBytes(reading, take)
  reading.values += run?.values ?? 0
  if (reading.values > reading.valuesMax) {
    throw new JsonLimitError(`The body contains more than ${reading.valuesMax} values`)
  }
  return run
}

/** As JSON.parse has it: a name does not change the prototype. */
function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true })
  } else {
    members[name] = value
  }
}

/** A comma separates members; without members, a container is only its brackets. */
function requireMembers(count: number, membersBefore: number): void {
  if (count === 0 && membersBefore > 0) {
    throw new InvalidJsonError('A comma without a member')
  }
}

function isList({ lists }: Reading, path: JsonPath): boolean {
  return lists.some((list) => list.length === path.length && list.every((name, level) => name === path[level]))
}

function positionOf({ dropped, at }: Reading): number {
  return dropped + at
}

export function nestedTooDeepMessage(levelsMax: number): string {
  return `The body is nested deeper than ${levelsMax} levels`
}
