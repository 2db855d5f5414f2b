package dev.gadget.drone.exam;

import java.util.List;

/** A small edit with one right result. */
record EditTask(String file, String content, String wanted, String result) {
    /** The easy one first; then indentation over lines, escapes, a text that occurs twice, and letters beyond ASCII. */
    static final List<EditTask> ALL = List.of(
            new EditTask(
                    "server.properties",
                    "host=localhost\nport=80\nname=demo\n",
                    "Change the port from 80 to 8080.",
                    "host=localhost\nport=8080\nname=demo\n"),
            new EditTask(
                    "Greeter.java",
                    """
                    class Greeter {
                        String greet(String name) {
                            return "Hello " + name;
                        }
                    }
                    """,
                    "Give the method greet a second parameter, String mark, and append it to what is returned: it then returns"
                            + " \"Hello \" + name + mark.",
                    """
                    class Greeter {
                        String greet(String name, String mark) {
                            return "Hello " + name + mark;
                        }
                    }
                    """),
            new EditTask(
                    "check.js",
                    "const digits = /^\\d+$/;\nconst path = \"C:\\\\data\";\n",
                    "In the regular expression, replace \\d by \\w. Change nothing else.",
                    "const digits = /^\\w+$/;\nconst path = \"C:\\\\data\";\n"),
            new EditTask(
                    "settings.yaml",
                    "dev:\n  timeout: 30\nprod:\n  timeout: 30\n",
                    "Set the timeout of prod to 60. The one of dev stays 30.",
                    "dev:\n  timeout: 30\nprod:\n  timeout: 60\n"),
            new EditTask(
                    "menu.txt",
                    "Frühstück: Käse\nMittag: Suppe\nAbend: Brot\n",
                    "Remove the line that begins with Mittag.",
                    "Frühstück: Käse\nAbend: Brot\n"));

    String prompt() {
        return "The file " + file + " holds, between the lines of equals signs:\n=====\n" + content + "=====\n" + wanted
                + " Do it by calling the tool edit_file now, once.";
    }
}
