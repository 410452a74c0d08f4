import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/.venv*/**", "**/build/**"] },
  js.configs.recommended,
  {
    files: ["course_lib/explore/js/*.js"],
    languageOptions: { ecmaVersion: "latest", globals: globals.browser },
    rules: {
      complexity: ["error", 12],
      "max-depth": ["error", 3],
      "max-len": ["error", { code: 110 }],
      "max-lines": ["error", 150],
      "no-nested-ternary": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["tests/js/*.js"],
    languageOptions: { ecmaVersion: "latest", globals: globals.node },
    rules: { complexity: ["error", 12], "max-len": ["error", { code: 110 }], "no-nested-ternary": "error" },
  },
  {
    files: ["tests/*.js", "tests/browser/*.js"], // what the tests run in a page
    languageOptions: { ecmaVersion: "latest", globals: { ...globals.browser, axe: "readonly" } },
  },
];
