/** Compares responses with what a check expects; each function throws a `Violation` that shows both. */
import { Violation } from './check.ts'
import { type Answer, describeAnswer } from './http/exchange.ts'

const SHOWN_CHARACTERS_MAX = 300

/** An error that a body reports, in whichever of the documented forms. */
export type ReportedError = { readonly code: string; readonly path: string; readonly message: string }

/** Throws a violation of all problems, if there are any; `true` is a condition that holds: `status === 200 || 'It is …'`. */
export function requireNone(problems: readonly (string | true)[]): void {
  const found = problems.filter((problem) => problem !== true)
  if (found.length > 0) {
    throw new Violation(found)
  }
}

/** Throws a violation unless the condition holds; `problem` says what was found instead. */
export function require(condition: boolean, problem: string): void {
  requireNone([condition || problem])
}

/** The problems of several values, asked for one after the other. */
export async function problemsOfEach<Value>(
  values: Iterable<Value>,
  problemsOf: (value: Value) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const value of values) {
    problems.push(...(await problemsOf(value)))
  }
  return problems
}

/** The problem of a response with another status, or none. */
export function statusProblems(answer: Answer, ...expected: readonly number[]): readonly string[] {
  return expected.includes(answer.status)
    ? []
    : [`${describeAnswer(answer)}, expected ${expected.join(' or ')}${shownBody(answer)}`]
}

export function requireStatus(answer: Answer, ...expected: readonly number[]): void {
  requireNone(statusProblems(answer, ...expected))
}

/** The problems of a response that should be an error with one of the codes, at a path if one is given. */
export function errorProblems(
  answer: Answer,
  status: number,
  code: string | readonly string[],
  path?: string,
): readonly string[] {
  const wrongStatus = statusProblems(answer, status)
  if (wrongStatus.length > 0) {
    return wrongStatus
  }
  const codes = [code].flat()
  const errors = reportedErrors(answer.body)
  const isExpected = (error: ReportedError) =>
    codes.includes(error.code) && (path === undefined || isAtOrAbove(error.path, path))
  const wanted = `${codes.join(' or ')}${path === undefined ? '' : ` at ${path}`}`
  const found = errors.map(({ code, path: at }) => `${code} at ${at}`).join(', ') || 'no error'
  return errors.some(isExpected)
    ? []
    : [`${describeAnswer(answer)} with ${found}, expected ${wanted}${shownBody(answer)}`]
}

export function requireError(answer: Answer, status: number, code: string, path?: string): void {
  requireNone(errorProblems(answer, status, code, path))
}

/** The errors of a body: the elements of a list, or those of an envelope. */
export function reportedErrors(body: unknown): readonly ReportedError[] {
  if (Array.isArray(body)) {
    return body.map(reportedError)
  }
  const { failure, code, path = '.', message, reason, errors, error } = Object(body)
  const own = failure ?? code ?? error
  const listed = Array.isArray(errors) ? errors.map(reportedError) : []
  return own === undefined
    ? listed
    : [{ code: String(own), path: String(path), message: String(message ?? reason) }, ...listed]
}

function reportedError(element: unknown): ReportedError {
  const { code, path, message, reason } = Object(element)
  return { code: String(code), path: String(path), message: String(message ?? reason) }
}

/** Whether an error's path is that of the field or of the object around it. */
function isAtOrAbove(reported: string, path: string): boolean {
  return (
    reported === path ||
    path.startsWith(`${reported}.`) ||
    reported.startsWith(`${path}.`) ||
    path.startsWith(`${reported}[`)
  )
}

/** The value at a path such as `.paymentStatus.status`; undefined where there is none. */
export function valueAt(body: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((name) => name !== '')
    .reduce<unknown>((value, name) => Object(value)[name], body)
}

/** A copy of a body with another value at a path; undefined leaves the field out. */
export function withValueAt<Body>(body: Body, path: string, value: unknown): Body {
  const copy = structuredClone(body)
  const [, parent = '', name = ''] = /^(.*)\.(\w+)$/.exec(path) ?? []
  Object(valueAt(copy, parent))[name] = value
  return copy
}

function shownBody({ text }: Answer): string {
  return text === '' ? '' : `: ${text.slice(0, SHOWN_CHARACTERS_MAX)}`
}
