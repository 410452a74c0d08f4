// The numbers by which Python's columns name things.

export const LEAF = 0; // kinds of nodes; the third player is 4, the fourth 5, and so on
export const MAX = 1;
export const MIN = 2;
export const CHANCE = 3;
export const KINDS = ["leaf", "max", "min", "chance"];

export const ENTER = 0; // events
export const UPDATE = 1;
export const EXIT = 2;
export const GENERATE = 3;

export const VISITED = 0; // how a node ends
export const GENERATED = 1;
export const CUT = 2;

export const NEW = 0; // what a node is at a step; as classes of the style sheet in STATES
export const ON_STACK = 1;
export const DONE = 2;
export const UNSEARCHED = 3;
export const PRUNED = 4;
export const STATES = ["new", "stack", "done", "generated", "cut"];

export const PHASES = ["selection", "expansion", "simulation", "back-propagation"];
export const SIMULATION = 2;
