/** Lists the addresses of this Havn's own programs and database, to which no deliveries may be sent. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import directory from '../../../../data/sandbox-directory.json' with { type: 'json' }
import type { Config } from '../../../config/config.ts'
import { isWithin, networksOf } from '../../../platform/http/ip-address.ts'
import { offsetPort, portOf } from '../../../platform/http/offset-port.ts'

/** The settings that contain them. */
export type InternalAddressSettings = Pick<
  Config,
  | 'baseUrl'
  | 'authUrl'
  | 'onboardingUrl'
  | 'databaseUrl'
  | 'sandboxXs2aUrl'
  | 'sandboxBankUrl'
  | 'sandboxIdentityUrl'
  | 'sandboxIdentityControlUrl'
  | 'sandboxFxUrl'
  | 'fx'
  | 'tracesUrl'
  | 'port'
  | 'operatorPort'
  | 'workerPort'
>

export type InternalAddresses = {
  /** Whether it is one of our public base URLs. */
  isOwnUrl(url: URL): boolean
  /** Whether one of our services listens at an address. Not for public addresses: partners may share those with us. */
  isInternalAddress(address: string, port: number): Promise<boolean>
}

/** One of our services, by host name or address. */
type InternalEndpoint = { readonly host: string; readonly port: number }

const THIS_MACHINE = networksOf(['0.0.0.0/8', '127.0.0.0/8', '::/127'])

export function internalAddresses(config: InternalAddressSettings): InternalAddresses {
  const known = endpointsIn([config.baseUrl, config.authUrl, config.onboardingUrl])
  const { databaseUrl, tracesUrl, sandboxXs2aUrl } = config
  // The control APIs of the sandbox need no password.
  const sandbox = [
    config.sandboxBankUrl,
    config.sandboxIdentityUrl,
    config.sandboxIdentityControlUrl,
    config.sandboxFxUrl,
    config.sandboxFxUrl === null ? null : (config.fx?.url ?? null),
  ]
  const banks = sandboxXs2aUrl === null ? [] : directory.banks.map((_bank, index) => offsetPort(sandboxXs2aUrl, index))
  const inner = endpointsIn([databaseUrl, tracesUrl, ...sandbox, ...banks])
  const listening = new Set([config.port, config.operatorPort, config.workerPort].filter((port) => port > 0))
  return {
    isOwnUrl: (url) => known.some(({ host, port }) => host === hostOf(url) && port === portOf(url)),
    isInternalAddress: async (address, port) => {
      if (listening.has(port) && isThisMachine(address)) {
        return true
      }
      const possible = [...known, ...inner].filter((place) => place.port === port)
      const found = await Promise.all(possible.map(({ host }) => addressesOf(host)))
      return found.flat().some((own) => isSame(own, address))
    },
  }
}

function endpointsIn(addresses: readonly (string | null)[]): readonly InternalEndpoint[] {
  return addresses.flatMap((address) => {
    const url = address === null ? null : URL.parse(address)
    return url === null ? [] : [{ host: hostOf(url), port: portOf(url) }]
  })
}

/** Host names in canonical form: lower case, without the trailing dot; an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** By the machine's resolver, because our own names may not be in DNS. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) {
    return [host]
  }
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** A service that listens on one of this machine's addresses may answer at the others as well. */
function isSame(own: string, address: string): boolean {
  return isWithin(networksOf([own]), address) || (isThisMachine(own) && isThisMachine(address))
}

function isThisMachine(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map((one) => one.address) ?? [])
  return isWithin(THIS_MACHINE, address) || isWithin(networksOf(own), address)
}
