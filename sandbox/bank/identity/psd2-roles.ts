/** Reads the PSD2 roles in a certificate (ETSI TS 119 495, qcStatements). */

type Node = { readonly tag: number; readonly bytes: Buffer; readonly children: readonly Node[] }

const CONSTRUCTED = 0x20
const OBJECT_IDENTIFIER = 0x06
const OCTET_STRING = 0x04
/** Object identifiers in their encoded form. */
const QC_STATEMENTS = '2b06010505070103'
const PSD2_STATEMENT = '040081982702'
const ROLE_BY_OID: ReadonlyMap<string, string> = new Map([
  ['04008198270101', 'PSP_AS'],
  ['04008198270102', 'PSP_PI'],
  ['04008198270103', 'PSP_AI'],
  ['04008198270104', 'PSP_IC'],
])

/** The roles; none where the certificate has no such statement or cannot be parsed. */
export function psd2RolesOf(certificate: Buffer): readonly string[] {
  const everything = flatten(parse(certificate))
  const extension = everything.find(({ children: [name] }) => isNamed(name, QC_STATEMENTS))
  const content = extension?.children.find(({ tag }) => tag === OCTET_STRING)
  const statements = content === undefined ? [] : flatten(parse(content.bytes))
  const licensed = statements.find(({ children: [name] }) => isNamed(name, PSD2_STATEMENT))
  return flatten(licensed?.children ?? []).flatMap(({ tag, bytes }) =>
    tag === OBJECT_IDENTIFIER ? (ROLE_BY_OID.get(bytes.toString('hex')) ?? []) : [],
  )
}

function isNamed(node: Node | undefined, identifier: string): boolean {
  return node?.tag === OBJECT_IDENTIFIER && node.bytes.toString('hex') === identifier
}

function flatten(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)])
}

/** Parses consecutive nodes; stops at invalid bytes. */
function parse(bytes: Buffer): readonly Node[] {
  const nodes: Node[] = []
  let rest = bytes
  while (rest.length >= 2) {
    const { header, length } = sizeOf(rest)
    const content = rest.subarray(header, header + length)
    const tag = rest[0] ?? 0
    if (content.length < length) {
      return nodes
    }
    nodes.push({ tag, bytes: content, children: (tag & CONSTRUCTED) === 0 ? [] : parse(content) })
    rest = rest.subarray(header + length)
  }
  return nodes
}

function sizeOf(bytes: Buffer): { readonly header: number; readonly length: number } {
  const first = bytes[1] ?? 0
  if (first < 0x80) {
    return { header: 2, length: first }
  }
  const more = Math.min(first - 0x80, 6)
  return more === 0 || bytes.length < 2 + more
    ? { header: 2, length: Number.MAX_SAFE_INTEGER }
    : { header: 2 + more, length: bytes.readUIntBE(2, more) }
}
