/** Finds scripted users by their ids, and gives each bank of a world its own of them. */
import type { ScaSubject } from '../authorisations/authorisation.ts'
import type { Consent } from '../consents/consent.ts'
import type { World } from '../fixture.ts'
import { type ScriptedDecision, type ScriptedUser, scriptedUsers } from './scripted-users.ts'

/** Business time that a scripted user takes to decide. */
const DECIDES_AFTER = { seconds: 2 }

/** How ids look, and those of scripted users: 77 where a month, a day or initials would be, so that they are nobody's. */
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

/** The scripted user with an id, if it is one's. */
export function scriptedUser(id: string | null): ScriptedUser | undefined {
  return id === null ? undefined : userByScriptedId.get(id)
}

/** A scripted user's id at a bank whose users have ids like another. */
export function scriptedIdLike(user: ScriptedUser, id: string): string | undefined {
  return idForms.find(({ like }) => like.test(id))?.idOf(user)
}

/** When a scripted user decides; undefined when it is somebody else's to decide. */
export function decidesAt(userId: string | null, begunAt: Temporal.Instant): Temporal.Instant | undefined {
  return scriptedUser(userId) && begunAt.add(DECIDES_AFTER)
}

/** What a scripted user decides; `forget` for everybody whose time has run out. */
export function decisionOf(userId: string | null, subject: ScaSubject): ScriptedDecision {
  return scriptedUser(userId)?.[subject === 'basket' ? 'payment' : subject] ?? 'forget'
}

/** How and when access ends that a scripted user gave; undefined when it lasts. */
export function scriptedEnd({ psu_id: userId }: Pick<Consent, 'psu_id'>): ScriptedUser['consentEnds'] {
  return scriptedUser(userId)?.consentEnds
}

/** Adds the scripted users to a world: each may at a bank what the bank's first user with a right to pay may. */
export function withScriptedUsers(world: World): World {
  const model = new Map<string, string>()
  for (const { bic, userId, may } of world.access) {
    if (may.includes('pay') && !model.has(bic)) {
      model.set(bic, userId)
    }
  }
  const access = world.access.filter(({ bic, userId }) => model.get(bic) === userId)
  const added = scriptedUsers.flatMap((user) =>
    access.flatMap(({ bic, owner, userId }) => {
      const id = scriptedIdLike(user, userId)
      return id === undefined
        ? []
        : [{ user: { id, name: user.name }, row: { bic, owner, userId: id, may: rights(user) } }]
    }),
  )
  const users = new Map(added.map(({ user }) => [user.id, user]))
  return {
    ...world,
    users: [...world.users, ...users.values()],
    access: [...world.access, ...added.map(({ row }) => row)],
  }
}

function rights({ mayPay }: ScriptedUser): ('view' | 'pay')[] {
  return mayPay ? ['view', 'pay'] : ['view']
}

function digits(number: number): string {
  return String(number).padStart(2, '0')
}
