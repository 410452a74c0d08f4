// The numbers by which columns name things, as in course_lib/watch: test_scripts.py compares them.

export const LEAF = 0; // kinds of nodes; the third player is 4, the fourth 5, and so on
export const MAX = 1;
export const MIN = 2;
export const CHANCE = 3;
export const KINDS = ["leaf", "max", "min", "chance"];

export const ENTER = 0; // events
export const UPDATE = 1;
export const EXIT = 2;
export const GENERATE = 3;

export const VISITED = 0; // what a node is at a step; in STATUSES as classes of the style sheet
export const GENERATED = 1;
export const CUT = 2;
export const NEW = 3;
export const ON_STACK = 4;
export const STATUSES = ["visited", "generated", "cut", "new", "stack"];

export const PHASES = ["selection", "expansion", "simulation", "back-propagation"];
export const SIMULATION = 2;
