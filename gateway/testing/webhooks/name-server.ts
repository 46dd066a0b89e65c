/** Simulates a DNS server over UDP: returns the configured answers and records the queries. */
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

export type NameServer = {
  /** `127.0.0.1:…`, the format of resolvers. */
  readonly address: string
  /** All queried names in order. */
  readonly asked: readonly string[]
  /**
   * Sets the addresses of a name; an unknown name has none. With null, queries are not answered; with `silentAbout`,
   * those for that address family are not.
   */
  put(name: string, addresses: readonly string[] | null, silentAbout?: 4 | 6): void
  close(): Promise<void>
}

const HEADER_BYTES = 12
const [TYPE_A, TYPE_AAAA] = [1, 28] as const
/** DNS flags: answer with recursion available; the second with NXDOMAIN. */
const [FOUND, NO_SUCH_NAME] = [0x8180, 0x8183] as const

/** Starts it on a free port. */
export async function startNameServer(): Promise<NameServer> {
  const addressesByName = new Map<string, readonly string[] | null>()
  const silentTypesByName = new Map<string, number>()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    asked.push(name)
    const addresses = addressesByName.get(name)
    if (addresses !== null && silentTypesByName.get(name) !== type) {
      socket.send(answerTo(query.subarray(0, end), type, addresses), from.port, from.address)
    }
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    put: (name, addresses, silentAbout) => {
      addressesByName.set(name, addresses)
      silentTypesByName.delete(name)
      if (silentAbout !== undefined) {
        silentTypesByName.set(name, silentAbout === 4 ? TYPE_A : TYPE_AAAA)
      }
    },
    close: () => new Promise((resolve) => socket.close(resolve)),
  }
}

/** The first question of a query: length-prefixed labels up to an empty one, then the type. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(question: Buffer, type: number, addresses: readonly string[] | undefined): Buffer {
  const records = (addresses ?? [])
    .filter((address) => type === (isIPv6(address) ? TYPE_AAAA : TYPE_A))
    .map((address) => recordOf(type, address))
  const answer = Buffer.concat([question, ...records])
  answer.writeUInt16BE(addresses === undefined ? NO_SUCH_NAME : FOUND, 2)
  answer.writeUInt16BE(records.length, 6)
  // No additional records, whatever the query's header states.
  answer.writeUInt32BE(0, 8)
  return answer
}

/** An answer record: name of the question, type, class IN, TTL 0, and the address. */
function recordOf(type: number, address: string): Buffer {
  const bytes = type === TYPE_A ? address.split('.').map(Number) : bytesOfIpv6(address)
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length])
  return Buffer.concat([head, Buffer.from(bytes)])
}

function bytesOfIpv6(address: string): readonly number[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':')).map((group) => Number.parseInt(group, 16))
  const [before, after] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff])
}
