/** Carries out an operator's command: opens the database, says who is acting, and closes the database again. */
import { Argument } from 'commander'
import type { Surroundings } from '../operator/operator-context.ts'

/** The argument by which commands name a partner. */
export const PARTNER = () => new Argument('<partner>', "the partner's name or id")

/** The command gets the database and the name that the audit log keeps. */
export async function operate(carryOut: (context: Surroundings, actor: string) => Promise<void>): Promise<void> {
  const { withSurroundings } = await import('../operator/operator-context.ts')
  const { operatorActor } = await import('../operator/operator-name.ts')
  await withSurroundings(process.env, (context) => carryOut(context, operatorActor(process.env)))
}
