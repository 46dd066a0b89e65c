/** Gives each bank a port of its own, which is closed while the bank is down: then no connection to it succeeds. */
import type { Server } from 'node:net'
import { type ClosablePort, closablePort } from '../../closable-port.ts'
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

type BankPort = { readonly bic: string; readonly number: number; readonly port: ClosablePort }

/** Attempts to find so many free ports in a row. */
const TRIES = 100

/** All are closed at first. */
export function openBankPorts(banks: readonly BankProfile[], faults: Faults): BankPorts {
  let ports: readonly BankPort[] = []
  return {
    listen: async (range) => {
      ports = await listenInRow(banks, range)
      return ports[0]?.number ?? 0
    },
    update: async () => {
      const down = new Set(faults.list().flatMap(({ effect, bank }) => (effect === 'down' ? [bank] : [])))
      await Promise.all(ports.map(({ bic, port }) => port.setOpen(!down.has(bic))))
    },
    close: async () => void (await Promise.all(ports.map(({ port }) => port.close()))),
  }
}

async function listenInRow(
  banks: readonly BankProfile[],
  { host, firstPort, createServer }: PortRange,
): Promise<readonly BankPort[]> {
  for (let tries = 1; ; tries += 1) {
    const ports: BankPort[] = []
    try {
      for (const { bic } of banks) {
        const [first] = ports
        const port = closablePort(createServer())
        const wanted = first === undefined ? firstPort : first.number + ports.length
        ports.push({ bic, port, number: await port.listen({ host, port: wanted }) })
      }
      return ports
    } catch (error) {
      await Promise.all(ports.map(({ port }) => port.close()))
      if (firstPort !== 0 || tries === TRIES) {
        throw error
      }
    }
  }
}
