/** Gives each bank a port of its own, which is closed while the bank is down: then no connection to it succeeds. */
import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { openSerialQueue } from '../../due-scan-loop.ts'
import type { Faults } from '../faults.ts'
import type { BankProfile } from '../fixture.ts'

export type BankPorts = {
  /** Opens the ports, in the order of the banks, and returns the first; 0 selects free ones. */
  listen(place: PortRange): Promise<number>
  /** Closes the ports of banks that the faults have down, with their connections, and opens all others. */
  update(): Promise<void>
  /** Resolves when no connection is left. */
  close(): Promise<void>
}

type PortRange = {
  readonly host: string
  readonly firstPort: number
  /** Each serves all banks, so that a tool needs one URL only. */
  readonly createServer: () => Server
}

type BankPort = {
  readonly bic: string
  readonly server: Server
  readonly connections: Set<Socket>
  readonly port: number
}

/** Attempts to find so many free ports in a row. */
const TRIES = 100

/** All are closed at first. */
export function openBankPorts(banks: readonly BankProfile[], faults: Faults): BankPorts {
  const changes = openSerialQueue()
  let host = ''
  let ports: readonly BankPort[] = []
  return {
    listen: async (range) => {
      host = range.host
      ports = await listenInRow(banks, range)
      return ports[0]?.port ?? 0
    },
    update: () =>
      changes.runExclusive(async () => {
        const down = new Set(faults.list().flatMap(({ effect, bank }) => (effect === 'down' ? [bank] : [])))
        await Promise.all(ports.map((port) => (down.has(port.bic) ? refuse(port) : accept(port, host))))
      }),
    close: () => changes.runExclusive(async () => void (await Promise.all(ports.map(({ server }) => end(server))))),
  }
}

async function listenInRow(banks: readonly BankProfile[], range: PortRange): Promise<readonly BankPort[]> {
  for (let tries = 1; ; tries += 1) {
    const ports: BankPort[] = []
    try {
      for (const { bic } of banks) {
        const [first] = ports
        const opened = portOf(bic, range, first === undefined ? range.firstPort : first.port + ports.length)
        await accept(opened, range.host)
        ports.push({ ...opened, port: boundPort(opened.server) })
      }
      return ports
    } catch (error) {
      await Promise.all(ports.map(({ server }) => end(server)))
      if (range.firstPort !== 0 || tries === TRIES) {
        throw error
      }
    }
  }
}

function portOf(bic: string, { createServer }: PortRange, port: number): BankPort {
  const server = createServer()
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return { bic, server, connections, port }
}

async function accept({ server, port }: BankPort, host: string): Promise<void> {
  if (!server.listening) {
    server.listen({ host, port })
    await once(server, 'listening')
  }
}

async function refuse({ server, connections }: BankPort): Promise<void> {
  const ended = end(server)
  for (const socket of connections) {
    socket.destroy()
  }
  await ended
}

/** Idle connections end at once, others after their response. */
async function end(server: Server): Promise<void> {
  if (server.listening) {
    server.close()
    await once(server, 'close')
  }
}

function boundPort(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
