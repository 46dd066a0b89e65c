/** Plays a name server over UDP: answers what tests put into it, and remembers what it was asked. */
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

export type NameServer = {
  /** `127.0.0.1:…`, as resolvers take it. */
  readonly address: string
  /** Each name that was asked for an address, in order. */
  readonly asked: readonly string[]
  /**
   * The name has these addresses from now on; an unknown name has none. Null keeps silent when asked, and so does it
   * about a family whose addresses are not to be told.
   */
  put(name: string, addresses: readonly string[] | null, silentAbout?: 4 | 6): void
  close(): Promise<void>
}

const HEADER_BYTES = 12
const [TYPE_A, TYPE_AAAA] = [1, 28] as const
/** Answer, recursion available; the second also says that there is no such name. */
const [FOUND, NO_SUCH_NAME] = [0x8180, 0x8183] as const

/** Listens on a free port of this machine. */
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

/** The first question of a query: labels, each led by its length, up to an empty one; then the type. */
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
  // No further records, whatever the query announced.
  answer.writeUInt32BE(0, 8)
  return answer
}

/** The name of the question, its type, class IN, no time to live, and the address. */
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
