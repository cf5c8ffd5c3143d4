/** Settings shared by all graphs: cards cannot be dragged or connected, and focus is handled by the page. */
export const flowProps = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  minZoom: 0.15,
  maxZoom: 1.5,
  zoomOnDoubleClick: false,
  proOptions: { hideAttribution: true },
} as const
