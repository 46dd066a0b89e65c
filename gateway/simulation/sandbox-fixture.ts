/** The schema of the sandbox bank's fixture as its control API shows it: users and accounts of each bank, and scripted amounts. */
import { type Static, Type } from 'typebox'

const User = Type.Object({
  id: Type.String(),
  name: Type.String(),
  companies: Type.Array(Type.String()),
  mayPay: Type.Boolean(),
  /** What a scripted user does; null for one who decides in the browser. */
  does: Type.Union([Type.String(), Type.Null()]),
})

const Account = Type.Object({
  bban: Type.String(),
  iban: Type.Union([Type.String(), Type.Null()]),
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
