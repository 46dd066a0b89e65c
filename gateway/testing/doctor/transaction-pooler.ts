/** A pooler in transaction mode with one connection to the server, for statements of the simple protocol. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import pg from 'pg'

export type Pooler = { readonly connectionString: string; close(): Promise<void> }

const STARTUP_LENGTH_BYTES = 4

export async function startTransactionPooler(connectionString: string): Promise<Pooler> {
  const upstream = new pg.Client({ connectionString })
  await upstream.connect()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket, upstream)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    connectionString: `postgres://havn@127.0.0.1:${port}/havn`,
    close: async () => {
      for (const socket of sockets) {
        socket.destroy()
      }
      server.close()
      await upstream.end()
    },
  }
}

function serve(socket: Socket, upstream: pg.Client): void {
  let isStarted = false
  let read: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    read = Buffer.concat([read, bytes])
    const lengthAt = isStarted ? 1 : 0
    while (read.length >= lengthAt + STARTUP_LENGTH_BYTES && read.length >= lengthAt + read.readInt32BE(lengthAt)) {
      const end = lengthAt + read.readInt32BE(lengthAt)
      const [message, rest] = [read.subarray(0, end), read.subarray(end)]
      read = rest
      if (!isStarted) {
        isStarted = true
        socket.write(Buffer.concat([protocolMessage('R', Buffer.alloc(4)), ready()]))
      } else if (message[0] === 'Q'.charCodeAt(0)) {
        void answer(socket, upstream, message.subarray(5, -1).toString('utf8'))
      }
    }
  })
}

async function answer(socket: Socket, upstream: pg.Client, text: string): Promise<void> {
  const { rows, fields } = await upstream.query<string[]>({
    text,
    rowMode: 'array',
    types: { getTypeParser: () => String },
  })
  const columns = fields.map(({ name, dataTypeID }) => {
    const column = Buffer.alloc(18)
    column.writeInt32BE(dataTypeID, 6)
    return Buffer.concat([Buffer.from(`${name}\0`), column])
  })
  const values = rows.map((row) =>
    protocolMessage(
      'D',
      count(row.length),
      ...row.flatMap((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)]),
    ),
  )
  socket.write(
    Buffer.concat([
      protocolMessage('T', count(fields.length), ...columns),
      ...values,
      protocolMessage('C', Buffer.from('SELECT\0')),
      ready(),
    ]),
  )
}

function protocolMessage(type: string, ...content: readonly Buffer[]): Buffer {
  const inside = Buffer.concat(content)
  return Buffer.concat([Buffer.from(type), int32(inside.length + STARTUP_LENGTH_BYTES), inside])
}

function ready(): Buffer {
  return protocolMessage('Z', Buffer.from('I'))
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function count(value: number): Buffer {
  return int32(value).subarray(2)
}
