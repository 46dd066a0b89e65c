/** Writes the tables of scripted outcomes and users for the guide to the sandbox. */

import { outcomesOfTroubles } from './call-fault-outcomes.ts'
import { outcomesOfCustomers } from './customer-action-outcomes.ts'
import { outcomesOfSigned } from './execution-outcomes.ts'
import { durationText, table } from './markdown-table.ts'
import { outcomesOfRefusals } from './rejection-outcomes.ts'
import { type Moment, NEXT_BANK_DAY, type Outcome, type When } from './scripted-outcome.ts'
import { scriptedIdLike } from './scripted-user-lookup.ts'
import { type ScriptedUser, type SeenOfUser, scriptedUsers } from './scripted-users.ts'

const groups: readonly { readonly title: string; readonly rows: readonly Outcome[] }[] = [
  { title: 'How a signed payment ends', rows: outcomesOfSigned },
  { title: 'Waiting for people', rows: outcomesOfCustomers },
  { title: 'Refused orders', rows: outcomesOfRefusals },
  { title: 'Calls that go wrong', rows: outcomesOfTroubles },
]

/** An id of each form, and who has such ids. */
const idsLike = [
  { where: 'Norway', like: '01815012345' },
  { where: 'Havbanken', like: 'KN12345' },
  { where: 'Sweden', like: '199081150100' },
  { where: 'Denmark', like: 'freja.jensen' },
  { where: 'Finland', like: '10020030' },
] as const

/** Every outcome, in groups. */
export function outcomeTables(): string {
  return groups
    .map(({ title, rows }) => {
      const head = ['Amount', 'Outcome', 'What the bank does', 'What it says', 'What you see']
      return `### ${title}\n\n${table(head, rows.map(rowOf))}`
    })
    .join('\n\n')
}

/** Every scripted user. */
export function userTables(): string {
  const deeds = table(
    ['User', 'What they do', 'What you see'],
    scriptedUsers.map(({ name, tells, seen }) => [name, tells, seenOfUser(seen)]),
  )
  const ids = table(
    ['User', ...idsLike.map(({ where }) => where)],
    scriptedUsers.map((user) => [user.name, ...idsLike.map(({ like }) => idOf(user, like))]),
  )
  return `${deeds}\n\nTheir ids, by what ids look like at the bank:\n\n${ids}`
}

function rowOf({ amount, name, tells, script, seen }: Outcome): readonly string[] {
  const what = [`\`${amount}.00\``, name, tells]
  if (seen.at === 'payment') {
    return [
      ...what,
      seen.moments.map(({ bank }) => wordText(bank)).join(' → '),
      seen.moments.map(momentText).join('; '),
    ]
  }
  const says =
    script.refusal === undefined ? '`409` `STATUS_INVALID`' : `\`${script.refusal.status}\` \`${script.refusal.code}\``
  const path = seen.path === undefined ? '' : ` at \`${seen.path}\``
  const where = seen.at === 'approval' ? ' when it is approved' : ''
  return [...what, says, `\`${seen.status}\` \`${seen.code}\`${path}${where}`]
}

function wordText(word: string | null): string {
  return word === null ? '–' : `\`${word}\``
}

function momentText({ when, status, reason, unknown = false }: Moment): string {
  const why = reason === undefined ? '' : ` / \`${reason}\``
  return `${whenText(when)}: \`${status}\`${why}${unknown ? ', `503` with the `paymentId`, `outcomeUnknown`' : ''}`
}

function whenText(when: When): string {
  if (when === NEXT_BANK_DAY) {
    return `on the ${when}`
  }
  return when.startsWith('P') ? durationText(when) : when
}

function seenOfUser({ asking, consent, approval, later, order, afterwards }: SeenOfUser): string {
  return [
    ...(asking === undefined ? [] : [`asking for access \`${asking}\``]),
    ...(consent === undefined ? [] : [`consent \`${consent}\``]),
    ...(approval === undefined ? [] : [`approval \`${approval}\``]),
    ...(later === undefined ? [] : [`payment later \`${later}\``]),
    ...(order === undefined ? [] : [`order \`${order}\``]),
    ...(afterwards === undefined ? [] : [`after an hour \`${afterwards}\``]),
  ].join(', ')
}

function idOf(user: ScriptedUser, like: string): string {
  return `\`${scriptedIdLike(user, like) ?? ''}\``
}
