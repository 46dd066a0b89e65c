/** Finds scripted users by their ids, and adds them to each bank of a fixture. */

import type { BankFixture } from '../fixture.ts'
import type { ScaSubject } from './authorisation.ts'
import { type ScriptedDecision, type ScriptedUser, scriptedUsers } from './scripted-users.ts'

/** Business time that a scripted user takes to decide. */
const DECISION_DELAY = { seconds: 2 }

/** Scripted users have 77 in place of a month, a day or initials, so that no real id matches. */
const idForms: readonly { readonly like: RegExp; idOf(user: ScriptedUser): string }[] = [
  { like: /^\d{11}$/, idOf: ({ number }) => `770000000${digits(number)}` },
  { like: /^[A-Z]{2}\d{5}$/, idOf: ({ number }) => `ZZ770${digits(number)}` },
  { like: /^\d{12}$/, idOf: ({ number }) => `1977770000${digits(number)}` },
  { like: /^[a-z]+\.[a-z]+$/, idOf: ({ name }) => name.toLowerCase().replace(' ', '.') },
  { like: /^\d{8}$/, idOf: ({ number }) => `777700${digits(number)}` },
]

const userByScriptedId: ReadonlyMap<string, ScriptedUser> = new Map(
  scriptedUsers.flatMap((user) => idForms.map(({ idOf }) => [idOf(user), user] as const)),
)

export function scriptedUser(id: string | null): ScriptedUser | undefined {
  return id === null ? undefined : userByScriptedId.get(id)
}

/** A scripted user's id at a bank, in the form of another user's id there. */
export function scriptedIdInFormOf(user: ScriptedUser, id: string): string | undefined {
  return idForms.find(({ like }) => like.test(id))?.idOf(user)
}

/** When a scripted user decides; undefined for any other user. */
export function decisionDueAt(userId: string | null, begunAt: Temporal.Instant): Temporal.Instant | undefined {
  return scriptedUser(userId) && begunAt.add(DECISION_DELAY)
}

/** The decision of a scripted user; `forget` for any other user, whose authorisation has expired. */
export function scriptedDecisionOf(userId: string | null, subject: ScaSubject): ScriptedDecision {
  return scriptedUser(userId)?.[subject === 'basket' ? 'payment' : subject] ?? 'forget'
}

/** Adds the scripted users to a fixture: each with the rights of the bank's first user who may pay. */
export function withScriptedUsers(fixture: BankFixture): BankFixture {
  const model = new Map<string, string>()
  for (const { bic, userId, may } of fixture.access) {
    if (may.includes('pay') && !model.has(bic)) {
      model.set(bic, userId)
    }
  }
  const access = fixture.access.filter(({ bic, userId }) => model.get(bic) === userId)
  const added = scriptedUsers.flatMap((user) =>
    access.flatMap(({ bic, owner, userId }) => {
      const id = scriptedIdInFormOf(user, userId)
      return id === undefined
        ? []
        : [{ user: { id, name: user.name }, row: { bic, owner, userId: id, may: rights(user) } }]
    }),
  )
  const users = new Map(added.map(({ user }) => [user.id, user]))
  return {
    ...fixture,
    users: [...fixture.users, ...users.values()],
    access: [...fixture.access, ...added.map(({ row }) => row)],
  }
}

function rights({ mayPay }: ScriptedUser): ('view' | 'pay')[] {
  return mayPay ? ['view', 'pay'] : ['view']
}

function digits(number: number): string {
  return String(number).padStart(2, '0')
}
