/** Knows where this Havn's own programs and its database answer, so that no partner has deliveries sent there. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from '../../../config/config.ts'
import { isWithin, networksOf } from './public-address.ts'

/** The settings that say where. */
export type PlacesConfig = Pick<
  Config,
  | 'baseUrl'
  | 'authUrl'
  | 'onboardingUrl'
  | 'databaseUrl'
  | 'sandboxXs2aUrl'
  | 'sandboxBankUrl'
  | 'sandboxIdentityUrl'
  | 'sandboxFxUrl'
  | 'tracesUrl'
  | 'port'
  | 'operatorPort'
  | 'workerPort'
>

export type OwnPlaces = {
  /** Whether it is one of the addresses by which partners and users know us. */
  isKnownAsOurs(url: URL): boolean
  /** Whether one of ours answers at an address. Not for public ones: partners may share those with us. */
  isOurs(address: string, port: number): Promise<boolean>
}

/** Something of ours, by a name or an address. */
type Place = { readonly host: string; readonly port: number }

const THIS_MACHINE = networksOf(['0.0.0.0/8', '127.0.0.0/8', '::/127'])

/** What an address leaves out when it is the usual one. */
const USUAL_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
}

export function ownPlaces(config: PlacesConfig): OwnPlaces {
  const known = placesIn([config.baseUrl, config.authUrl, config.onboardingUrl])
  const { databaseUrl, tracesUrl, sandboxXs2aUrl, sandboxBankUrl, sandboxIdentityUrl, sandboxFxUrl } = config
  // The control APIs of the sandbox ask for no password.
  const sandbox = [sandboxXs2aUrl, sandboxBankUrl, sandboxIdentityUrl, sandboxFxUrl]
  const inner = placesIn([databaseUrl, tracesUrl, ...sandbox])
  const listening = new Set([config.port, config.operatorPort, config.workerPort].filter((port) => port > 0))
  return {
    isKnownAsOurs: (url) => known.some(({ host, port }) => host === hostOf(url) && port === portOf(url)),
    isOurs: async (address, port) => {
      if (listening.has(port) && isThisMachine(address)) {
        return true
      }
      const possible = [...known, ...inner].filter((place) => place.port === port)
      const found = await Promise.all(possible.map(({ host }) => addressesOf(host)))
      return found.flat().some((own) => isSame(own, address))
    },
  }
}

/** The port of an address, also where that is not written. */
export function portOf(url: URL): number {
  return url.port === '' ? (USUAL_PORTS[url.protocol] ?? 0) : Number(url.port)
}

function placesIn(addresses: readonly (string | null)[]): readonly Place[] {
  return addresses.flatMap((address) => {
    const url = address === null ? null : URL.parse(address)
    return url === null ? [] : [{ host: hostOf(url), port: portOf(url) }]
  })
}

/** As names are compared: in small letters, without the dot of the root, an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** As the machine itself finds them, because our own names may stand in no name server. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) {
    return [host]
  }
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** Whatever of this machine's addresses something listens on, it may answer at the others as well. */
function isSame(own: string, address: string): boolean {
  return isWithin(networksOf([own]), address) || (isThisMachine(own) && isThisMachine(address))
}

function isThisMachine(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map((one) => one.address) ?? [])
  return isWithin(THIS_MACHINE, address) || isWithin(networksOf(own), address)
}
