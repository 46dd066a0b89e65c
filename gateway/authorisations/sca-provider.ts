/** Finds the bank or identity provider of an SCA session, as its pages need it. */
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { allowedHostsOf } from '../identity/provider-discovery.ts'
import { isDecoupledSca } from './sca-approach.ts'
import type { ScaSession } from './sca-session.ts'

/** A bank or an identity provider. */
export type ScaProvider = {
  /** Its display name. */
  readonly name: string
  /** Hosts that a browser may be redirected to. */
  readonly hosts: readonly string[]
  /** Whether the user will sign in an app; used before the authorisation has started. */
  isInApp(preferred: ScaSession['preferred']): boolean
}

/** A bank or provider that is no longer configured is shown by its stored id. */
export async function scaProviderOf(
  { banks, config }: Pick<Context, 'banks' | 'config'>,
  { bic, identityProvider }: Pick<ScaSession, 'bic' | 'identityProvider'>,
): Promise<ScaProvider> {
  if (bic !== null) {
    const bank = await banks.find(bic)
    return bank === undefined ? unknownScaProvider(bic) : scaProviderOfBank(bank)
  }
  const provider = config.identityProviders.find(({ id }) => id === identityProvider)
  return provider === undefined
    ? unknownScaProvider(identityProvider ?? '')
    : { name: provider.name, hosts: allowedHostsOf(provider), isInApp: () => false }
}

function scaProviderOfBank(bank: Bank): ScaProvider {
  return { name: bank.name, hosts: bank.linkHosts, isInApp: (preferred) => isDecoupledSca(bank, preferred) }
}

function unknownScaProvider(name: string): ScaProvider {
  return { name, hosts: [], isInApp: () => false }
}
