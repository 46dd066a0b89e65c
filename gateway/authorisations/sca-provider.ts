/** Where something is signed: a bank or an identity provider, as the pages of a signing need to know it. */
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { hostsOf } from '../identity/provider-metadata.ts'
import { isSignedInApp } from '../signing/signed-in-app.ts'
import type { Signing } from '../signing/signing.ts'

/** A bank or an identity provider. */
export type SigningPlace = {
  /** What people know it by. */
  readonly name: string
  /** Hosts that a browser may be sent to there. */
  readonly hosts: readonly string[]
  /** Whether it is signed in the user's app there, before that has begun. */
  isInApp(preferred: Signing['preferred']): boolean
}

/** A bank that is not served any more, or a provider that is not set any more, is known by what it was kept as. */
export async function placeOf(
  { banks, config }: Pick<Context, 'banks' | 'config'>,
  { bic, identityProvider }: Pick<Signing, 'bic' | 'identityProvider'>,
): Promise<SigningPlace> {
  if (bic !== null) {
    const bank = await banks.find(bic)
    return bank === undefined ? unknownPlace(bic) : bankPlace(bank)
  }
  const provider = config.identityProviders.find(({ id }) => id === identityProvider)
  return provider === undefined
    ? unknownPlace(identityProvider ?? '')
    : { name: provider.name, hosts: hostsOf(provider), isInApp: () => false }
}

function bankPlace(bank: Bank): SigningPlace {
  return { name: bank.name, hosts: bank.linkHosts, isInApp: (preferred) => isSignedInApp(bank, preferred) }
}

function unknownPlace(name: string): SigningPlace {
  return { name, hosts: [], isInApp: () => false }
}
