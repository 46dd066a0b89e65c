/** Reads the PSD2 roles in a certificate (ETSI TS 119 495, qcStatements). */
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js'

const QC_STATEMENTS = '1.3.6.1.5.5.7.1.3'
const PSD2_STATEMENT = '0.4.0.19495.2'
const ROLE_BY_OID: ReadonlyMap<string, string> = new Map([
  ['0.4.0.19495.1.1', 'PSP_AS'],
  ['0.4.0.19495.1.2', 'PSP_PI'],
  ['0.4.0.19495.1.3', 'PSP_AI'],
  ['0.4.0.19495.1.4', 'PSP_IC'],
])

/** The roles; none where the certificate has no such statement or cannot be parsed. */
export function psd2RolesOf(certificate: Buffer): readonly string[] {
  const extension = contentNamed(flatten(certificate), QC_STATEMENTS)
  const statements = extension?.find((node) => node instanceof OctetString)?.getValue()
  const licensed = statements && contentNamed(flatten(statements), PSD2_STATEMENT)
  return (licensed ?? []).flatMap(withinNode).flatMap((node) => ROLE_BY_OID.get(idOf(node) ?? '') ?? [])
}

/** What a sequence has that begins with this identifier. */
function contentNamed(nodes: readonly BaseBlock[], identifier: string): readonly BaseBlock[] | undefined {
  return nodes.map(childrenOf).find(([name]) => idOf(name) === identifier)
}

function flatten(bytes: Buffer | ArrayBuffer): readonly BaseBlock[] {
  const { result, offset } = fromBER(bytes)
  return offset === -1 ? [] : withinNode(result)
}

function withinNode(node: BaseBlock): readonly BaseBlock[] {
  return [node, ...childrenOf(node).flatMap(withinNode)]
}

function childrenOf(node: BaseBlock): readonly BaseBlock[] {
  return node instanceof Constructed ? node.valueBlock.value : []
}

function idOf(node: BaseBlock | undefined): string | undefined {
  return node instanceof ObjectIdentifier ? node.getValue() : undefined
}
