/** Reads the limits of requests and connections, and how a gateway leaves the proxies in front of it. */
import type { environmentReader } from './environment-reader.ts'

export type TrafficSettings = {
  readonly tokenRequestsPerMinute: number
  readonly requestsPerSecond: number
  /** Open connections per server, in total and per address. */
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** For this long a gateway that received SIGTERM answers all requests, while it is not ready for new ones. */
  readonly drainSeconds: number
}

type Variables = Readonly<
  Record<'tokenRequests' | 'requests' | 'connections' | 'connectionsPerAddress' | 'drainSeconds', string>
>

const POSITIVE_NUMBERS = [1, 999_999_999] as const
const DRAIN_RANGE = [0, 300] as const

export function readTrafficSettings(read: ReturnType<typeof environmentReader>, variables: Variables): TrafficSettings {
  return {
    tokenRequestsPerMinute: read.integer(variables.tokenRequests, 60, POSITIVE_NUMBERS),
    requestsPerSecond: read.integer(variables.requests, 100, POSITIVE_NUMBERS),
    connectionsMax: read.integer(variables.connections, 2_000, POSITIVE_NUMBERS),
    connectionsPerAddressMax: read.integer(variables.connectionsPerAddress, 500, POSITIVE_NUMBERS),
    drainSeconds: read.integer(variables.drainSeconds, 0, DRAIN_RANGE),
  }
}
