/** Client of the control APIs of the sandbox's programs. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { request } from 'undici'
import { type ApiErrorKind, apiError } from '../platform/http/errors/api-error.ts'
import { parseJson } from '../platform/parse-json.ts'
import type { LastStatusRead } from './record-unchanged-payments.ts'

/** Business time at a program, and when something falls due there next. */
export type ProgramClock = { readonly now: Temporal.Instant; readonly nextDueAt: Temporal.Instant | null }

/** The user's decision, and who the user is; by default the bank's first user. */
export type UserDecision = { readonly decision: 'sign' | 'reject' | 'leave'; readonly userId?: string }

/** A program of the sandbox with a control API. */
export type ProgramControl = {
  readClock(): Promise<ProgramClock>
  /** Sets business time; what is due by then has happened when this returns. */
  setClock(now: Temporal.Instant): Promise<ProgramClock>
  resetClock(): Promise<ProgramClock>
  /** Reads a path below `/control`. */
  look(path: string): Promise<unknown>
  /** Posts an action. Throws `bad-request`, `not-found` or `conflict` with the program's own message, `unavailable` without one. */
  act(path: string, body: object): Promise<unknown>
  clearFaults(): Promise<undefined>
}

/** The sandbox bank, whose users can be simulated. */
export type SandboxControl = ProgramControl & {
  /** The payments, by the bank's ids, whose status has not changed. */
  findUnchanged(reads: readonly LastStatusRead[]): Promise<ReadonlySet<string>>
  /** Follows the bank's pages from one of their URLs, until the browser is redirected to another site. */
  browse(address: string, decision: UserDecision): Promise<string>
  listFaults(): Promise<readonly { readonly bank: string; readonly effect: string }[]>
  /** Ends the faults of a bank with an effect. */
  clearFaultsOf(bic: string, effect: string): Promise<void>
  /** The users and accounts of each bank, and the amounts that script an outcome. */
  readFixture(): Promise<SandboxFixture>
  /** Submits a user's decision on an authorisation; returns the redirect URL, null where there is none. */
  decide(authorisationId: string, decision: UserDecision): Promise<string | null>
}

const TextOrNull = Type.Union([Type.String(), Type.Null()])
const FaultsAtBank = Type.Array(Type.Object({ bank: Type.String(), effect: Type.String() }))
const ClockOfProgram = Type.Object({ now: Type.String(), nextDueAt: TextOrNull })
const Redirected = Type.Object({ redirect: TextOrNull })
const Unchanged = Type.Object({ unchanged: Type.Array(Type.String()) })

/** The error kind for each status of a program. */
const kindByStatus: Readonly<Record<number, Exclude<ApiErrorKind, 'outcome-unknown'>>> = {
  400: 'bad-request',
  403: 'bad-request',
  404: 'not-found',
  409: 'conflict',
  422: 'bad-request',
}

/** Creates the client of a program; `name` is used in messages. */
export function openProgramControl(url: string, name: string): ProgramControl {
  const act = (path: string, body: object) => ask(name, `${url}/control${path}`, 'POST', body)
  return {
    readClock: async () => clockOf(await ask(name, `${url}/control/clock`, 'GET')),
    setClock: async (now) => clockOf(await act('/clock', { now: now.toString() })),
    resetClock: async () => clockOf(await act('/clock', { reset: true })),
    look: (path) => ask(name, `${url}/control${path}`, 'GET'),
    act,
    clearFaults: async () => {
      await ask(name, `${url}/control/faults`, 'DELETE')
    },
  }
}

/** Creates the client of a sandbox bank. */
export function openSandboxControl(url: string): SandboxControl {
  const program = openProgramControl(url, 'sandbox bank')
  const { act } = program
  return {
    ...program,
    listFaults: async () => Value.Parse(FaultsAtBank, await program.look('/faults')),
    clearFaultsOf: async (bank, effect) => {
      await ask('sandbox bank', `${url}/control/faults?${new URLSearchParams({ bank, effect })}`, 'DELETE')
    },
    readFixture: async () => Value.Parse(SandboxFixture, await program.look('/fixture')),
    findUnchanged: async (payments) =>
      new Set(Value.Parse(Unchanged, await act('/payments/unchanged', { payments })).unchanged),
    browse: async (address, decision) => {
      const { redirect } = Value.Parse(Redirected, await act('/browser', { address, ...decision }))
      if (redirect === null) {
        throw new Error('The sandbox bank returned no redirect URL')
      }
      return redirect
    },
    decide: async (authorisationId, { decision, userId }) => {
      const user = userId === undefined ? {} : { userId }
      return Value.Parse(Redirected, await act(`/authorisations/${authorisationId}/${decision}`, user)).redirect
    },
  }
}

async function ask(name: string, url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<unknown> {
  const { statusCode, body: answer } = await request(url, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw apiError('unavailable', `The ${name} does not answer at ${url}: ${String(error)}`)
  })
  const text = await answer.text()
  const kind = kindByStatus[statusCode]
  if (kind !== undefined) {
    const { message = text } = Object(parseJson(text))
    throw apiError(kind, `The ${name} says: ${message}`)
  }
  if (statusCode !== 200) {
    throw new Error(`The ${name} answered ${statusCode}: ${text.slice(0, 200)}`)
  }
  return parseJson(text)
}

function clockOf(answer: unknown): ProgramClock {
  const { now, nextDueAt } = Value.Parse(ClockOfProgram, answer)
  return { now: Temporal.Instant.from(now), nextDueAt: nextDueAt === null ? null : Temporal.Instant.from(nextDueAt) }
}

const User = Type.Object({
  id: Type.String(),
  name: Type.String(),
  companies: Type.Array(Type.String()),
  mayPay: Type.Boolean(),
  /** What a scripted user does; null for one who decides in the browser. */
  does: TextOrNull,
})

const Account = Type.Object({
  bban: Type.String(),
  iban: TextOrNull,
  owner: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  remarks: Type.String(),
})

export const SandboxFixture = Type.Object({
  banks: Type.Array(Type.Object({ bic: Type.String(), users: Type.Array(User), accounts: Type.Array(Account) })),
  /** Orders of these amounts have an outcome of their own. */
  outcomes: Type.Array(Type.Object({ amount: Type.String(), name: Type.String(), tells: Type.String() })),
})
export type SandboxFixture = Static<typeof SandboxFixture>
