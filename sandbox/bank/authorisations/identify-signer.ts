/** Lets a user in on the signing page: notes the visit, and who it is if that person may sign. */
import type { BankContext } from '../context.ts'
import { scriptedUser } from '../outcomes/scripted-user.ts'
import { accountOf, bankOfRow, isCustomer, mayPay, userById } from '../world.ts'
import type { User } from '../world-shape.ts'
import { type Authorisation, isEnded } from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'
import { scaNotice } from './end-authorisation.ts'
import { type LockedAuthorisation, lockWithTarget } from './target.ts'

/** Notes that a browser opened the link; from then on no other authorisation can take its place. */
export async function openAuthorisation(context: BankContext, found: Authorisation): Promise<void> {
  if (found.opened_at === null && !isEnded(found)) {
    await context.database.query.transaction().execute(async (transaction) => {
      const locked = await lockWithTarget(transaction, found)
      if (locked !== undefined && locked.authorisation.opened_at === null && !isEnded(locked.authorisation)) {
        const { openedSca } = bankOfRow(context.world, found.bank)
        await updateAuthorisation(transaction, found.id, {
          opened_at: context.clock.now().toString(),
          sca_status: openedSca,
        })
      }
    })
  }
}

/** Identifies the user, or says why this one may not sign. */
export async function identifySigner(
  context: BankContext,
  found: Authorisation,
  userId: string,
): Promise<{ readonly refusedBecause: string | null }> {
  const user = userById(context.world, userId)
  const answer = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockWithTarget(transaction, found)
    if (locked === undefined || isEnded(locked.authorisation)) {
      return { refusedBecause: null, notices: [] }
    }
    const refusedBecause = reasonAgainst(context, locked, user)
    if (refusedBecause !== null) {
      return { refusedBecause, notices: [] }
    }
    const { authorisation, target } = locked
    await updateAuthorisation(transaction, authorisation.id, { signer_id: userId, sca_status: 'psuAuthenticated' })
    return { refusedBecause, notices: [scaNotice(authorisation, target, 'psuAuthenticated')] }
  })
  context.push.send(answer.notices)
  return { refusedBecause: answer.refusedBecause }
}

/** Users who may sign this, the one the third party named first. */
export function possibleSigners(context: BankContext, locked: LockedAuthorisation): readonly User[] {
  const named = locked.authorisation.psu_id
  return context.world.users
    .filter((user) => reasonAgainst(context, locked, user) === null)
    .filter(({ id }) => id === named || scriptedUser(id) === undefined)
    .toSorted((one, other) => Number(other.id === named) - Number(one.id === named))
}

function reasonAgainst(context: BankContext, locked: LockedAuthorisation, user: User | undefined): string | null {
  if (user === undefined || !isCustomer(context.world, locked.authorisation.bank, user.id)) {
    return 'The bank knows nobody by this id.'
  }
  if (locked.subject === 'consent') {
    const named = locked.target.psu_id
    return named === null || named === user.id ? null : 'Only the person it was asked for can give this access.'
  }
  const payments = locked.subject === 'basket' ? locked.payments : [locked.target]
  const forbidden = payments.find(({ bank, debtor }) => {
    const account = accountOf(context.world, bank, debtor)
    return account === undefined || !mayPay(context.world, user.id, account)
  })
  return forbidden === undefined ? null : `${user.name} has no right to pay from account ${forbidden.debtor}.`
}
