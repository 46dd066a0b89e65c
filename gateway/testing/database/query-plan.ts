/** Finds the nodes of a query plan that read a table. */

/** A node of `explain (format json)`; the counts are there with `analyze`. */
export type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

/** The nodes that read the table, whatever their depth. */
export function nodesReading(table: string, node: PlanNode): readonly PlanNode[] {
  const below = (node.Plans ?? []).flatMap((child) => nodesReading(table, child))
  return node['Relation Name'] === table ? [node, ...below] : below
}
